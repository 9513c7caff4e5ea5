"""The page of import accounts is what its script gives for the folders, tried on small ones."""

import importlib.util
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "import-accounts.md"


@pytest.mark.parametrize("name", ["openwebvoyager", "webcanvas-result", "webvoyager-gpt4v"])
def test_a_folder_has_the_counts_that_the_page_says(shared: Path, name: str) -> None:
    place = REPOSITORY / "docs" / "site" / "import_accounts.py"
    spec = importlib.util.spec_from_file_location("docs_site_import_accounts", place)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page = PAGE.read_text()
    assert page.startswith(script.HEAD)
    printed = [line for line in page.splitlines() if line.startswith(f"| {name} |")]

    assert printed
    assert list(script.rows(shared / "data" / "trajectories" / name)) == printed
