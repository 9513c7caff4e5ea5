"""Elements of a live page: found by reference, described by fingerprint, watched while a person works."""
