"""The figures of one or more runs, section by section."""
