"""Pairs of real attempts at the same task, for measuring how well alignment finds where two part.

`pairs.json` names the attempts by their files in the shared data, and which pairs are held back while
tuning; `draw` chooses them, `sheets` writes them out to be read and labelled, `labels.json` holds what was
said of them. `README.md` has the rules. No task text is kept here.
"""
