"""The recorded pages of WebLINX' turns."""
