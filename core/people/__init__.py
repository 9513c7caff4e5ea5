"""What people do here: labelling, studies, and the human baselines that studies give."""
