"""What sites keep of a password, and all that evidence shows of it."""

from __future__ import annotations

import hashlib


def password_digest(password: str) -> str:
    """SHA-256 in hexadecimal; the accounts are made up, so it needs no salt."""
    return hashlib.sha256(password.encode()).hexdigest()
