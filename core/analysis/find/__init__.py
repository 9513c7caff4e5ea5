"""Find a text in everything that a store's episodes hold."""
