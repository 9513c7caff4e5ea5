"""Agreement of raters: which items count, how far labels agree, and the tables that tell it."""
