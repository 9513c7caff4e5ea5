"""What one check of the installation came to."""

from __future__ import annotations

from typing import Literal

import msgspec

State = Literal["ok", "warning", "problem"]


class Finding(msgspec.Struct, frozen=True):
    """One check's result; `mend` says what to do, "" where nothing is to be done."""

    name: str
    state: State
    detail: str
    mend: str = ""
