"""WebArena: tasks on self-hosted sites, scored from answer, final address and page contents."""
