"""The bundled demo: two small sites with state, fully offline."""
