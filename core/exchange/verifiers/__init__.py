"""Results of verifiers (Prime Intellect), whose environments reward chats with tools."""
