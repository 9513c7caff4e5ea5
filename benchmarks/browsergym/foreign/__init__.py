"""What runs in the foreign interpreter, beside the environment's package: the standard library alone.

The modules here import nothing but each other, and BrowserGym where it is there.
"""
