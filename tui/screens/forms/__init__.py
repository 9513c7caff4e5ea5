"""Commands as forms: every command of the program, filled in beside the words that it stands for."""
