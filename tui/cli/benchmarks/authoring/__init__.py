"""Tasks made by people: of a demonstration, and other instances of their templates."""
