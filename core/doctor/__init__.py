"""Checks of the installation, and how to mend what is wrong."""
