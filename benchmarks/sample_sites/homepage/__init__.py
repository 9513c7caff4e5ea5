"""The homepage of the bundled sites: a list of them, accounts, a calculator, a scratchpad, and manuals."""
