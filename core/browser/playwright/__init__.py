"""The browser driver over Playwright."""
