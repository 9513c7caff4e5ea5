"""The same task on a real Turkle server (section 3.3), and whether it comes to the same score."""
