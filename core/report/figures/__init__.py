"""Drawings of figures as SVG."""
