"""What an actor can do: the closed union of actions, and how each is aimed and put into words."""
