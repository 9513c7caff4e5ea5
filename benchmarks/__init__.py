"""One folder per benchmark family, all of the same shape."""
