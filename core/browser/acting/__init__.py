"""The verbs on a page, as real input events."""
