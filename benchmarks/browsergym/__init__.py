"""BrowserGym environments of any installed package, each in a process and with packages of its own."""
