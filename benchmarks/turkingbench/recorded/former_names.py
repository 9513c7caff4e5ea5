"""Names that tasks had when the published scores and logs were made.

Source: the published table of field statistics, whose columns stand in the order of the list of easy tasks.
"""

from __future__ import annotations

_PRESENT = {
    "ROT Details [m=50] rocstories - 0 - 99": "Ethical rule-of-thumb quality",
    "Reddit In-group Analysis Comment annotation 3": "Reddit In-group Analysis",
    "Script KD eval LONG V2 - disc result eval 1": "Goal feasibility",
    "Sherlock IMG 2 TXT Eval 15": "Image captioning",
    "wikiHow step-goal linking pilot cleanse-url": "WikiHow goal linking",
    "Arch - Rel Eval 3": "Story Relations",
    "Compression HIT": "Sentence Compression",
    "Formalize this": "Formalize sentence",
    "JiminyCricket-HumanVal-b10": "Text Game Eval",
    "winogrande validation (grammar) additional_ph": "Winogrande plausiblity",
    "atomic_event2event-effects 4": "Event effect",
    "ANLI Generation Eval - Reflective_ACL_1": "ANLI Generation",
    "ATOMIC - Object Rationale 13": "ATOMIC - Object Rationale",
    "Missing Adjective FITB": "Missing Adjective",
    "Simplicity HIT": "Simplicity rating",
    "Step 3 Creating Answers Given Questions 23": "Creating Answers to Questions",
}


def present_name(name: str) -> str:
    """The name that a task has now; a name that never changed as it is."""
    return _PRESENT.get(name, name)
