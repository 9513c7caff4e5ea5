"""Rubrics: a question asked of many recorded episodes, answered by judges, measured against people."""
