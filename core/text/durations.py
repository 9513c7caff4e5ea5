"""Times, and spans of time, in words."""

from __future__ import annotations


def duration_words(seconds: float) -> str:
    """ "4.2 s", "3 min 05 s", "1 h 02 min"; "unknown" for nothing, as imported records often have it."""
    if seconds <= 0:
        return "unknown"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def short_duration(seconds: float) -> str:
    """`85ms`, `1.2s`, `3m05`, in at most five cells."""
    if seconds < 1:
        return f"{seconds * 1000:.0f}ms"
    if seconds < 100:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m{rest:02}" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02}"


def start_words(at: str) -> str:
    """ "2026-11-23 23:06", as the record has it; "time unknown" where the source of an import told none."""
    return at[:16].replace("T", " ") or "time unknown"
