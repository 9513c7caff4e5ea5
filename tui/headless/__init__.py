"""The headless twin: what each subcommand does once its arguments are parsed."""
