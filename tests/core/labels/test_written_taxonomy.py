"""A taxonomy that is written can be read, and is the same."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.analysis.rubrics.rubric import taxonomy_of_words
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.taxonomy import read_taxonomy
from webbench.core.labels.written_taxonomy import taxonomy_toml, write_taxonomy


def test_every_taxonomy_is_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    for taxonomy in load_codebook(tmp_path).taxonomies.values():
        assert read_taxonomy(taxonomy_toml(taxonomy).encode(), taxonomy.name) == taxonomy


def test_whatever_a_question_holds_it_stays_text(tmp_path: Path) -> None:
    made = taxonomy_of_words('Say "no"\\ \x1b[31m\x7f 🙂 """ [[questions]]?', "odd")
    path = write_taxonomy(made, tmp_path)
    read = read_taxonomy(path.read_bytes(), "odd")
    assert read == made
    assert "\x1b" not in read.title
    assert msgspec.to_builtins(read) == msgspec.to_builtins(made)
