from __future__ import annotations

from pathlib import Path

import pytest

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.codebook import Codebook, load_codebook
from webbench.core.labels.label import Label
from webbench.core.labels.taxonomy import MERGED, read_taxonomy
from webbench.core.labels.written_taxonomy import taxonomy_toml

MINE = """
schema_version = 1
name = "mine"
version = 2
title = "Mine"
[[questions]]
name = "error"
text = "Why?"
places = ["step"]
[[questions.codes]]
name = "lost"
title = "Lost"
definition = "Lost its way."
means = ["cause.navigation"]
"""
OF_NO_ATTEMPT = ("agent-reward-bench", "cleaned-copy", "task-annotation")
"""Taxonomies whose codes are about something else than what went wrong in an attempt."""


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Codebook:
    return load_codebook(tmp_path_factory.mktemp("none"))


def test_every_shipped_taxonomy_is_sound_and_names_its_source(shipped: Codebook) -> None:
    assert shipped.problems == ()
    assert {"assistantbench", "assistantbench-closed-book", "assistantbench-retrieval"} < set(
        shipped.taxonomies
    )
    assert {"webarena-humans", "assistantbench-chatgpt", "turkingbench-responses"} < set(shipped.taxonomies)
    assert all(code.definition for one in shipped.taxonomies.values() for _, code in one.codes())
    assert {"webarena", "webcanvas", "turkingbench", "weblinx"} < set(shipped.taxonomies)
    questions = [question.name for question in shipped.merged.questions]
    assert questions == ["outcome", "cause", "phase", "evaluator", "environment", "luck"]
    assert all(taxonomy.source for taxonomy in shipped.taxonomies.values())


ORDERED = (
    MINE.replace('places = ["step"]', 'places = ["step"]\nordered = true')
    + """
[[questions.codes]]
name = "found"
title = "Found"
definition = "Found its way."
means = ["cause.none"]
[[questions.codes]]
name = "unsure"
title = "Unsure"
definition = "Can't be told."
unmapped = "no rank"
off_scale = true
"""
)


def test_an_ordered_question_has_a_scale_and_keeps_it_in_its_file() -> None:
    taxonomy = read_taxonomy(ORDERED.encode(), "mine")
    assert taxonomy.questions[0].scale == ("lost", "found")
    assert read_taxonomy(taxonomy_toml(taxonomy).encode(), "mine") == taxonomy
    with pytest.raises(BadData, match="fewer than two codes on its scale"):
        read_taxonomy(MINE.replace('["step"]', '["step"]\nordered = true').encode(), "mine")
    with pytest.raises(BadData, match=r"error\.unsure.* is off_scale, and the question has no scale"):
        read_taxonomy(ORDERED.replace("ordered = true", "").encode(), "mine")


def test_experts_grades_are_ordered_but_for_being_unsure(shipped: Codebook) -> None:
    scales = [
        question.scale for question in shipped.taxonomy("agent-reward-bench").questions if question.ordered
    ]
    assert scales == [("complete-failure", "suboptimal", "somewhat-optimal", "completely-optimal")]


def test_the_mapping_to_the_merged_taxonomy_is_total(shipped: Codebook) -> None:
    """Errors all map; only what is no error may say why it doesn't."""
    for taxonomy in shipped.taxonomies.values():
        for question, code in taxonomy.codes():
            if taxonomy.name == MERGED:
                continue
            assert bool(code.means) != bool(code.unmapped), f"{taxonomy.name}.{question.name}.{code.name}"
            assert not code.unmapped or taxonomy.name in OF_NO_ATTEMPT


def test_users_add_their_own_and_hear_what_is_wrong_with_it(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(MINE)
    (tmp_path / "b.toml").write_text(MINE)
    (tmp_path / "c.toml").write_text(MINE.replace('"mine"', '"other"').replace("cause.nav", "cause.navy"))
    book = load_codebook(tmp_path)
    assert book.taxonomy("mine").version == 2
    assert f'b.toml: the name "mine" is that of {tmp_path / "a.toml"}' in book.problems[0]
    assert 'means "cause.navyigation"' in book.problems[1]
    assert "did you mean cause.navigation?" in book.problems[1]
    with pytest.raises(UsageError, match=r'no taxonomy "mien" \(there is mine'):
        book.taxonomy("mien")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("[[questions]]", "[[questions", "f.toml is no TOML"),
        ('places = ["step"]', "places = []", "questions[0].places: Expected `array` of length >= 1"),
        ('title = "Lost"', 'titel = "Lost"', "questions[0].codes[0]: Object contains unknown field `titel`"),
        ('name = "lost"', 'name = "Lost!"', "questions[0].codes[0].name: Expected `str` matching regex"),
        ("version = 1", "version = 9", "newer release"),
    ],
)
def test_an_error_names_the_place(before: str, after: str, told: str) -> None:
    with pytest.raises(BadData) as caught:
        read_taxonomy(MINE.replace(before, after, 1).encode(), "f.toml")
    assert told in str(caught.value)


def test_a_code_is_found_by_name_where_it_can_be_given(shipped: Codebook) -> None:
    merged = shipped.merged
    assert merged.find("navigation")[0].name == "cause"
    assert merged.find("phase.grounding", 3)[0].name == "phase"
    with pytest.raises(UsageError, match=r"several questions \(write cause.grounding or phase.grounding\)"):
        merged.find("grounding")
    with pytest.raises(UsageError, match="can't be asked of a step"):
        merged.find("outcome.solved", 3)
    with pytest.raises(UsageError, match="there is navigation"):
        merged.find("navigatoin")


def test_a_label_is_read_in_the_merged_taxonomy(shipped: Codebook) -> None:
    label = Label(taxonomy="webarena", version=1, question="error", code="early-stop", annotator="a")
    assert shipped.meanings(label) == ("cause.stopping", "outcome.gave-up")
    decided = Label(taxonomy=MERGED, version=1, question="cause", code="", annotator="a", settles=("b", "c"))
    assert shipped.meanings(decided) == ()
    assert decided.answer == "no label"
