"""Labelling: one annotator's sheet of questions, two annotators' disagreements, disputed scores."""
