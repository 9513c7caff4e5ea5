"""BrowserGym's published contract of its core, asked of our browser by tests of our own."""
