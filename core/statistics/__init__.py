"""Figures and how sure they are: estimates with intervals, agreement of raters, power, tables to be drawn."""
