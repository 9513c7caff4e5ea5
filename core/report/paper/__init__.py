"""Figures for a paper as files: drawn by matplotlib, with their numbers as CSV and as tables for LaTeX."""
