"""How WebCanvas' key nodes are scored."""
