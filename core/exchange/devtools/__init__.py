"""User flows of Chrome DevTools' Recorder panel."""
