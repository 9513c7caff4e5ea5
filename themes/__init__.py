"""Theme definitions and stylesheets."""
