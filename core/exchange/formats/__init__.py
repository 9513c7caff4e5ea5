"""Formats that one module reads or writes."""
