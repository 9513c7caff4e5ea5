"""Which words and addresses fall under the guard's rules, however they are dressed up."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.core.action import action as a
from webbench.core.errors import BadData
from webbench.core.guards.guard import UNKNOWN, Guard, GuardOptions
from webbench.core.guards.hosts import AllowedHosts
from webbench.core.guards.risk import Control, Purpose, Risk, Rules, risk_of
from webbench.core.guards.rules import broken, plain_address, plain_words, read_rules
from webbench.core.observation import AccessibilityNode, Dialog, Observation
from webbench.core.settings.guard_defaults import DEFAULT_ADDRESSES, DEFAULT_WORDS

RULES = Rules(read_rules(DEFAULT_WORDS), read_rules(DEFAULT_ADDRESSES))


WORDINGS = {
    "purchase": (
        *(
            "Buy now",
            "Buy",
            "Buy it again",
            "Buy 1 for £3",
            "BUY TICKETS",
            "B\u200buy\u00ad now",
            "Click to buy now",
        ),
        *(
            "Pay",
            "Ｐａｙ £30",
            "Pay with PayPal",
            "Pay now",
            "Pay $12.00",
            "Order now",
            "Order now, pay later",
        ),
        *("Place your order", "Place order", "Submit order", "Confirm purchase", "Complete my booking"),
        *("Finish the payment", "Purchase", "Purchase 3 licences", "Donate", "Donate €5", "Bid now", "Bid"),
        *("Subscribe for $4 a month", "Subscribe now – 9.99 EUR", "Subscribe & Save", "Subscribe and pay"),
        *("Subscribe to Premium", "Subscribe to the Pro plan", "Subscribe to our newsletter for €2"),
        *("Start my subscription", "Start your free trial", "Start membership"),
    ),
    "send": (
        "Send  message",
        "Send",
        "Post",
        "Post comment",
        "Publish",
        "Reply",
        "Tweet",
        "Forward",
        "Transfer money",
    ),
    "delete": ("Delete", "Delete all photos?", "Close my account", "Cancel subscription", "Erase disk"),
    "": (
        *(
            "Subscribe to newsletter",
            "Subscribe to our newsletter",
            "Subscribe",
            "Subscribe now",
            "Subscribe to f/mugs",
        ),
        *(
            "Subscribe to the weekly digest, 3 times a month",
            "Yes, subscribe me to product updates",
            "Unsubscribe",
        ),
        *("Subscribe to plan updates", "Subscribed", "Confirm subscription", "Manage subscriptions"),
        *(
            "Purchase history",
            "Purchase orders",
            "Purchase protection",
            "Payment methods",
            "Pay attention",
            "Buying guide",
        ),
        *(
            "Bid history",
            "Paying guests",
            "Buyer's guide",
            "Your orders",
            "Order status",
            "Proceed to checkout",
        ),
        *(
            "Send me the newsletter",
            "Send me offers by e-mail",
            "Post office",
            "Post date",
            "Reply-to address",
        ),
        *("Publish date", "Posts", "Transfers", "Search", "Remove filter", "Recently deleted"),
    ),
}


@pytest.mark.parametrize(
    ("rule", "text"), [(rule, text) for rule, texts in WORDINGS.items() for text in texts]
)
def test_words(text: str, rule: str) -> None:
    assert broken(RULES.words, plain_words(text)) == rule


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("https://shop.test/checkout/place", "purchase"),
        ("https://shop.test//PLACE_ORDER?x=1", "purchase"),
        ("https://shop.test/a\\delete", "delete"),
        ("https://shop.test/item?action=delete&id=3", "delete"),
        ("https://shop.test/mail/send/", "send"),
        ("https://shop.test/subscribe/premium", "purchase"),
        ("https://shop.test/posts/12", ""),
        ("https://shop.test/newsletter/subscribe", ""),
        ("https://forum.test/f/mugs/subscribe", ""),
        ("https://shop.test/payments-explained", ""),
        ("https://delete.test/", ""),
        ("not an address", ""),
    ],
)
def test_addresses(url: str, rule: str) -> None:
    found = RULES.of_address(url)
    assert (found.rule if found else "") == rule


@given(
    st.lists(st.booleans(), min_size=6, max_size=6),
    st.lists(st.integers(min_value=0, max_value=2), min_size=6, max_size=6),
    st.sampled_from(["/", "//", "\\", "/%2f"]),
)
def test_no_spelling_of_an_address_hides_it(upper: list[bool], escapes: list[int], slash: str) -> None:
    word = ""
    for sign, big, times in zip("delete", upper, escapes, strict=True):
        spelt = sign.upper() if big else sign
        for _ in range(times):
            spelt = "".join(f"%{ord(one):02x}" for one in spelt) if spelt == sign or big else quote(spelt)
        word += spelt
    found = RULES.of_address(f"http://a.test/account{slash}{word}")
    assert found is not None
    assert found.rule == "delete"


def test_ticking_a_newsletter_is_no_purchase() -> None:
    box = AccessibilityNode(id=4, role="checkbox", name="Subscribe to newsletter", depth=1, interactive=True)
    purpose = Purpose((Control("checkbox", ("Subscribe to newsletter",)),))
    for action in (a.Check(target=a.ElementRef(id=4)), a.Click(target=a.ElementRef(id=4))):
        assert risk_of(action, purpose, Observation(nodes=(box,)), RULES) is None


def test_what_an_action_falls_under() -> None:
    page = Observation(
        dialog=Dialog(kind="confirm", message="Delete all photos?"),
        nodes=(AccessibilityNode(id=3, role="button", name="Pay", depth=1, interactive=True),),
    )
    nothing, click = Purpose(), a.Click(target=a.ElementRef(id=3))
    form = Purpose((Control("button", ("Continue",)),), ("http://a.test/order/place",))
    assert risk_of(click, nothing, page, RULES) == Risk("purchase", 'button "Pay"')
    upload = a.Upload(target=a.ElementRef(id=3), files=("x",))
    assert risk_of(upload, nothing, page, RULES) == Risk("purchase", 'button "Pay"')
    assert risk_of(a.Hover(target=a.ElementRef(id=3)), nothing, page, RULES) is None
    assert risk_of(a.Press(keys="Enter"), form, page, RULES) == Risk("purchase", "http://a.test/order/place")
    assert risk_of(a.AnswerDialog(accept=True), nothing, page, RULES) == Risk(
        "delete", 'confirm dialog "Delete all photos?"'
    )
    assert risk_of(a.AnswerDialog(accept=False), nothing, page, RULES) is None
    assert risk_of(a.Goto(url="http://a.test/delete"), nothing, page, RULES) is not None


def test_own_rules_replace_the_defaults_and_bad_ones_are_named() -> None:
    (rule,) = read_rules(("booking: ^reserve",))
    assert broken([rule], "reserve a table") == "booking"
    for bad, told in (("no colon", "has no name"), ("x: (", "no regular expression")):
        with pytest.raises(BadData, match=told):
            read_rules((bad,))


def test_hosts() -> None:
    hosts = AllowedHosts(("a.test", "*.b.test", "c.test:8080"), ["http://own.test:9000/start"])
    allowed = [
        "http://a.test/",
        "https://A.test./x",
        "http://x.b.test/",
        "http://c.test:8080/",
        "http://own.test:9000/",
    ]
    refused = [
        "http://b.test/",
        "http://notb.test/",
        "http://c.test/",
        "http://own.test/",
        "http://a.test.evil/",
    ]
    refused += ["http://a.test@evil.test/", "http://[broken/", ""]
    assert [url for url in (*allowed, *refused) if hosts.allow(url)] == allowed
    assert hosts.rules == ("a.test", "*.b.test", "c.test:8080", "own.test:9000")


@pytest.mark.parametrize(
    "pattern",
    [
        "*",
        "<local>",
        "10.0.0.0/8",
        "a.test,b.test",
        ".c.test",
        "https://shop.test/",
        "shop.test/path",
        "[::1",
    ],
)
def test_patterns_that_no_host_could_match_are_refused(pattern: str) -> None:
    with pytest.raises(BadData, match="names no host"):
        AllowedHosts((pattern,))


def test_addresses_of_a_task_open_nothing_but_themselves() -> None:
    hosts = AllowedHosts((), ["http://[::1]:8080/", "http://a.test,*/", "http://*.test/", "http://<local>/"])
    assert hosts.rules == ("[::1]:8080",)
    assert not hosts.allow("http://b.test/")


def test_plain_address_is_path_and_query() -> None:
    assert plain_address("HTTP://a.test/A%2fB?C=1#d") == "/a/b?c=1"


@pytest.mark.parametrize(
    ("pattern", "url", "rule"),
    [
        ("::1", "http://[::1]:8080/", "[::1]"),
        ("[::1]:8080", "ws://[::1]:8080/", "[::1]:8080"),
        ("Bücher.test", "https://xn--bcher-kva.test/", "xn--bcher-kva.test"),
        ("*.bücher.test:81", "http://www.xn--bcher-kva.test:81/", "*.xn--bcher-kva.test:81"),
    ],
)
def test_addresses_and_names_that_browsers_write_otherwise(pattern: str, url: str, rule: str) -> None:
    hosts = AllowedHosts((pattern,))
    assert hosts.allow(url)
    assert hosts.rules == (rule,)
    assert not hosts.allow("http://[::2]:8080/")


class _Unlookable:
    """A world whose page answers what nobody can read."""

    async def purpose(self, action: a.Action) -> Purpose:
        raise ValueError("no such field")


async def test_what_a_fault_of_ours_hides_has_to_be_confirmed() -> None:
    guard = Guard(GuardOptions(actions="on"))
    world: Any = _Unlookable()
    risk = await guard.risk(a.Click(target=a.ElementRef(id=3)), world, Observation())
    assert risk is not None
    assert risk.rule == UNKNOWN
    assert "ValueError: no such field" in risk.found
