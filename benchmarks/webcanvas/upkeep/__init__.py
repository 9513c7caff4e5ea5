"""Whether recorded ways through live sites still lead where they led: replay, compare, report."""
