"""Rows of the account on the import form: what nothing explains comes first and is marked."""

from webbench.core.exchange.account.balance import Row
from webbench.core.exchange.account.tally import Reason
from webbench.tui.screens.forms.kind_table import EQUAL, LEFT_OUT, UNEXPLAINED, KindTable, OfFormat


def test_what_nothing_explains_comes_first_and_is_marked() -> None:
    left = Reason(sort="left", why="no page", count=2)
    opened = Reason(sort="unexplained", why="2 of the source are not in the record", count=2)
    rows = [
        Row(kind="episodes", source=1, recorded=1),
        Row(kind="html", source=2, recorded=0, reasons=[left]),
        Row(kind="steps", source=3, recorded=1, reasons=[opened]),
    ]
    table = KindTable()

    table.show([OfFormat("f", "adp", rows)])

    assert [(one.row.kind, one.state) for one in table.records] == [
        ("steps", UNEXPLAINED),
        ("episodes", EQUAL),
        ("html", LEFT_OUT),
    ]
    assert "1 unexplained" in table.told()
