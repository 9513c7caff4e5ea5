"""A task on any page: an address, and what is to be done there."""
