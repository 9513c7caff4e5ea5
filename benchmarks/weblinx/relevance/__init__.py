"""How near an element's text is to what a turn is about: by the words they share, or by an encoder."""
