"""Secrets kept out of records and exports."""
