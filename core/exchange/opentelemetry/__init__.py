"""OpenTelemetry's spans of models, tools and agents (GenAI conventions, OpenInference), in and out."""
