"""Firefox over Playwright: what the code above the drivers says, to a browser without DevTools."""
