"""Making a task of a recorded episode: suggest key nodes, try them on the recording, write them down."""
