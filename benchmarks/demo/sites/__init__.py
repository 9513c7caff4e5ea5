"""Small web applications with state, all served by one embedded server."""
