"""Agents of this benchmark."""
