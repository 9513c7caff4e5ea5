"""Figures for a paper: the rows of each, computed; `core/report/paper` draws and writes them."""
