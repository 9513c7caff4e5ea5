"""Studies of people: who does which tasks, under which conditions, and how far they are."""
