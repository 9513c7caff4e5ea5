"""The browser driver over WebDriver and DevTools, a Selenium Grid included."""
