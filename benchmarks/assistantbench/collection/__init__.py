"""Collecting tasks as AssistantBench's authors did: seeds, templates, an expert's checklist (section 3.2)."""
