"""WebCanvas' agent: modules that can be switched off one by one."""
