"""WebArena's live sites: addresses, logins, what scoring reads there."""
