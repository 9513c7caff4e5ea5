"""What a fork tells of every step that it did again."""

from __future__ import annotations

from typing import Literal

import msgspec

Likeness = Literal["same", "unsure", "other"]


class PageLikeness(msgspec.Struct, frozen=True, kw_only=True):
    """How alike two pages are.

    Attributes:
        state: the same; another; or unsure, because they are only half alike, because fields hold something
            else, or because too little was recorded.
        value: from 0 to 1, None where nothing can be compared.
        why: in words, "" for the same page.
    """

    state: Likeness
    value: float | None = None
    why: str = ""


class RepeatedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded step that was done again, and how the page it led to compares with the recorded one.

    Attributes:
        step: index in the recorded episode; 0 is the start, where nothing is done.
        action: in words.
        matched_by: how the element was found: id, selector, role+name+path, box; a guess adds "unsure".
    """

    step: int
    action: str
    matched_by: str
    page: PageLikeness

    @property
    def sure(self) -> bool:
        return self.page.state == "same" and not self.matched_by.endswith("unsure")

    def headline(self) -> str:
        """Such as `step 3, click link "Tea": found by selector; the same page (98%)`."""
        found = f"found by {self.matched_by}; " if self.matched_by else ""
        alike = f" ({self.page.value:.0%})" if self.page.value is not None else ""
        told = {"same": "the same page", "unsure": "unsure", "other": "another page"}[self.page.state]
        why = f": {self.page.why}" if self.page.why else ""
        return f"step {self.step}, {self.action}: {found}{told}{alike}{why}"
