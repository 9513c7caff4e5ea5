"""What people say of episodes: labels of taxonomies, disputed scores, and how far they agree."""
