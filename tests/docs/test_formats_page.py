"""The page on formats lists every format and tells its bounds as they are in the code."""

from pathlib import Path

from tests.core.exchange.account.mutations import MUTATIONS
from tests.core.exchange.account.test_mutations import OF_2026, SOURCES
from tests.known_exporters import known_exporters
from webbench.core.exchange import fetched_source
from webbench.core.exchange.import_format import known_formats
from webbench.core.store.secrets.outgoing import MOST_ORIGINS

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
GIB = 1 << 30


def test_every_format_is_in_a_table() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `") and " --to" not in line]
    listed = [name for row in rows for name in row.split("|")[1].replace("`", "").replace(",", " ").split()]

    assert {one.name for one in known_formats()} | {one.name for one in known_exporters()} == set(listed)


def test_the_figures_are_those_of_the_code() -> None:
    page = " ".join(PAGE.read_text().split())

    assert f"in one of {len(MUTATIONS)} ways" in page
    assert f"mutations of {len(SOURCES) + len(OF_2026)} formats" in page
    bounds = f"{fetched_source.MOST_FILES:,} files and {fetched_source.LARGEST // GIB} GiB"
    assert f"{bounds} are copied" in page
    assert f"larger than {fetched_source.MOST_KEPT // GIB} GiB" in page
    assert (MOST_ORIGINS, "of more than eight the last seven and the first" in page) == (8, True)
