"""What a turn of a demonstration is made of: its action and intent, what was on the screen, the files."""
