"""Stands in for browsergym-core, whose Playwright can't be installed beside ours: its contract, spoken
through the real Playwright and the real Gymnasium."""
