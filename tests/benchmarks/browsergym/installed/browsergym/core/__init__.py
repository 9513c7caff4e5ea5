"""Stands in for browsergym-core, whose pinned Playwright can't be installed beside ours: its contract, speaking
through the real Playwright and the real Gymnasium."""
