"""What is typed into, and what is said of it."""
