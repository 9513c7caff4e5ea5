"""What a program can point out in a trajectory: guesses with their evidence, for a person to decide on."""
