"""The large synthetic page: 10,000 links and 5,000 inputs, and a page that keeps its renderer busy."""

from __future__ import annotations


def synthetic_page(links: int = 10_000, inputs: int = 5_000) -> str:
    """HTML with so many interactive elements and nothing else."""
    rows = [f'<a href="#l{number}">Link number {number}</a>' for number in range(links)]
    rows += [
        f'<label>Field {number} <input name="f{number}" value="{number}"></label>' for number in range(inputs)
    ]
    return (
        f"<!doctype html><html><head><title>synthetic</title></head><body>{'<br>'.join(rows)}</body></html>"
    )


BUSY_PAGE = """<!doctype html><title>busy</title><button onclick="
const end = performance.now() + 8000; while (performance.now() < end);">spin</button>"""
