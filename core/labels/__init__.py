"""Labels on trajectories: taxonomies, what annotators wrote down, disputed scores."""
