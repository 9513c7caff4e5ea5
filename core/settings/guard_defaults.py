"""The guard's default rules: words of a page, and addresses, that a person has to confirm.

They are in English and deliberately wide: a false alarm costs a question, an overlooked purchase costs money.
They know nothing of a purchase that a site hides behind other words and other addresses; for such sites there
are allowed hosts, and asking before every action.
"""

from __future__ import annotations

_THINGS = (
    r"(?!-| (history|orders|attention|guides?|options|methods|protection|policy|office|dates?|types?)\b)"
)
"""Behind a verb: it was none, but the name of a thing ("Purchase history", "Post office")."""

DEFAULT_WORDS = (
    rf"purchase: ^(buy|pay|purchase|donate|bid)\b{_THINGS}|\b(buy|pay|order|bid) now\b"
    r"|\b(place|submit|confirm|complete|finish) (the |your |my |this )?(order|purchase|payment|booking)\b"
    r"|\bsubscribe (&|and) (pay|save|buy)\b"
    r"|\bsubscribe\b.*([$€£¥]|\d ?(usd|eur|gbp|dollars?|euros?|pounds?)\b)"
    r"|\bsubscribe to .*\b(premium|pro|plus|plan|membership)$"
    r"|\bstart (the |your |my |a )?(paid |free |annual |monthly )?(subscription|membership|trial)\b",
    rf"send: ^(send(?! me\b)|post|publish|tweet|reply|forward|transfer)\b{_THINGS}"
    r"|\bsend (the |your |my |this )?(e-?mail|message|money|request)\b",
    r"delete: ^(delete|erase|destroy|deactivate)\b|\b(delete|close|deactivate|cancel) (the |your |my |this )?"
    r"(account|subscription|order|repository|project)\b",
)
"""To subscribe is a purchase where a price or a paid plan is named: newsletters and forums say it, too, and
whoever wants money asks for it on a page that says so."""

DEFAULT_ADDRESSES = (
    r"purchase: /(buy|pay|payment|purchase|donate)(/|$|\?)|/place[-_]?order\b"
    r"|/(order|checkout|subscribe|subscriptions?)/(place|pay|confirm|submit|complete|start|plans?|premium)\b",
    r"send: /(send|publish|transfer)(/|$|\?)|/send[-_]?(mail|message|money)\b",
    r"delete: /(delete|destroy|erase|deactivate)(/|$|\?)|[?&](action|op|do)=(delete|destroy|erase)\b",
)
