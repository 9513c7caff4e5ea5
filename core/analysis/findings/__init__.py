"""What a program suggests about an episode: questions for a person, each with its evidence."""
