"""The rule sets, and the clauses in which they differ.

`published` is the code of the WebArena repository that the literature's numbers come from. `paper` is the
text of "WebArena: A Realistic Web Environment for Building Autonomous Agents" (section 3.2), read
literally. `libwebarena` is the packaged port, which reads each page in a tab of its own; it stands beside a
score where that makes a difference. `verified` belongs to the tasks of WebArena-Verified alone. The folder's
README.md lists the departures.
"""

from __future__ import annotations

PUBLISHED, PAPER, LIBWEBARENA, VERIFIED = "published", "paper", "libwebarena", "verified"
RULE_SETS = (PUBLISHED, PAPER)
"""Those that every score of the original edition holds."""

LIVE_RULE_SETS = (*RULE_SETS, LIBWEBARENA, VERIFIED)

EXACT_CLAUSE = (
    "exact_match: published = equal without case, outer blanks and one pair of outer quotes; "
    "paper = identical"
)
INCLUDE_CLAUSE = (
    "must_include: published = contained without case, a lone one-character reference as a whole token; "
    "paper = contained as it is written"
)
UNACHIEVABLE_CLAUSE = (
    "N/A: published = a judge's verdict replaces the product so far unless that is 1; "
    "paper = it is one factor, and asked for only where the answer isn't N/A"
)
VERDICT_CLAUSE = "judge: published = verdict words anywhere in the reply; paper = the reply's verdict line"
URL_CLAUSE = (
    "url: published = host and path of some alternative contained, each query key with a value of any "
    "alternative (GOLD in PRED); paper = identical to one alternative"
)
TAB_CLAUSE = (
    "pages: published = one page goes from target to target, and later checks find it there; libwebarena = "
    "each target in a tab of its own, the others on the page the actor ended on"
)
BOTH_CLAUSE = (
    "page contents: published = must_include is ignored beside exact_match; paper = both have to hold"
)
