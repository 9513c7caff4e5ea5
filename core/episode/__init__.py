"""The loop observe -> act -> score -> record, with its limits."""
