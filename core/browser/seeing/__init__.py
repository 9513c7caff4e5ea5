"""Reading a page into one Observation: by one script a frame, or by protocol calls."""
