"""One recorded episode looked at: its steps, what each changed, a search through its pages."""
