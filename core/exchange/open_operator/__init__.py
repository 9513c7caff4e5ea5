"""Open Operator Evals: three browser agents on WebVoyager's tasks."""
