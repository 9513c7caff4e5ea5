"""Playwright's traces, alone or beside an agent's own record."""
