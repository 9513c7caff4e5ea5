"""What takes one line, and the lines that everything is drawn of."""
