"""The forum: communities, posts, nested comments, votes, profiles."""
