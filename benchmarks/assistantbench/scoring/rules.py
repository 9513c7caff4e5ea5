"""The two rule sets, and the clauses in which they differ (README.md gives the table)."""

from __future__ import annotations

PUBLISHED, PAPER = "published", "paper"
RULE_SETS = (PUBLISHED, PAPER)

LOGARITHM = "logarithm: published = natural, no credit beyond a factor of e; paper = decimal, beyond 10"
SIGN = (
    "sign and zero: published = ratio of signed values, 0 taken as 0.0001; "
    "paper = ratio of magnitudes of one sign, without a ratio 1 if equal and else 0"
)
NUMBER_TEXT = (
    "numbers in text: published = every comma is a decimal point, nan and infinity are numbers; "
    "paper = commas before groups of three digits are left out, nan and infinity are words"
)
LINES = "lines: published = a text is one item; paper = one item per line where the gold answer is a list"
LONE = "list of one: published = fails, or compares as the pair (number, True); paper = the item itself"
CONSTANTS = "null, true, false: published = fails; paper = null is no answer, the others are words"
BLANK = "blank text: published = an answer; paper = no answer"
ITEMS = "items that are no texts: published = the whole list is 0; paper = compared by themselves"
JSON_GOLD = "JSON gold without dictionaries: published = always 0; paper = compared as text"
GUARD = "dictionary precision: published = answer and gold change places; paper = one value per key"
VALUES = "dictionary values: published = fails on null, nested and empty ones; paper = compares them"
LISTS = "empty lists: published = undefined; paper = two empty lists are equal"
UNLIKE = "unlike types: published = fails on a dictionary where a number is wanted; paper = 0"
PAIRING = "pairing: the rule sets score some pairs differently, and so pair the items differently"
OTHER = "reading: published and paper read the answer or the gold answer differently"
