"""Figures of an analysis as SVG."""
