"""All taxonomies that labels can be of: ours, those of plug-ins, the user's own."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import Label
from webbench.core.labels.taxonomy import (
    LARGEST_FILE,
    MERGED,
    Code,
    Question,
    Taxonomy,
    read_taxonomy,
    unknown_meanings,
)
from webbench.core.labels.versions import CodebookFiles
from webbench.core.plugins.groups import TAXONOMIES
from webbench.core.plugins.toml_files import ENDING, NamedFile, files_in, folder_files, plugin_files
from webbench.core.settings.locations import taxonomies_folder
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip


class Codebook(msgspec.Struct, frozen=True, kw_only=True):
    """Taxonomies by name.

    Attributes:
        origins: file that each is from.
        problems: files that could not be used, with the reason.
    """

    taxonomies: dict[str, Taxonomy]
    origins: dict[str, str]
    problems: tuple[str, ...] = ()

    @property
    def merged(self) -> Taxonomy:
        return self.taxonomies[MERGED]

    def taxonomy(self, name: str) -> Taxonomy:
        """Raises `UsageError` for one that isn't there, naming the nearest ones."""
        if name in self.taxonomies:
            return self.taxonomies[name]
        near = nearest_names(name, self.taxonomies) or list(self.taxonomies)
        raise UsageError(f'There is no taxonomy "{plain_clip(name, 60)}"', f"there is {', '.join(near)}")

    def definition(self, label: Label) -> tuple[Question, Code] | None:
        """What the label says, None where its taxonomy or code is no longer there."""
        taxonomy = self.taxonomies.get(label.taxonomy)
        return taxonomy.label_of(label) if taxonomy is not None else None

    def is_split(self, label: Label) -> bool:
        """Whether its code was split since it was given: whoever gave it reads the place again."""
        found = self.definition(label)
        return found is not None and bool(found[1].split_into)

    def meanings(self, label: Label) -> tuple[str, ...]:
        """The label in codes of the merged taxonomy, as "question.code"."""
        if label.taxonomy == MERGED and label.code:
            return (f"{label.question}.{label.code}",)
        found = self.definition(label)
        return found[1].means if found is not None else ()


def load_codebook(folder: Path | None = None, written: CodebookFiles | None = None) -> Codebook:
    """Ours, those of the entry point group `webbench.taxonomies`, of the user's folder, and of a store.

    A file that can't be used is told in `problems`; of two that claim a name the earlier one stays.

    Args:
        folder: of the user's own; None for the one beside the settings.
        written: the codebooks that people write in a store, each as its newest version.
    """
    taxonomies: dict[str, Taxonomy] = {}
    origins: dict[str, str] = {}
    problems: list[str] = []
    own = folder_files(folder or taxonomies_folder(), LARGEST_FILE, problems)
    for where, data in [*_shipped(problems), *own]:
        try:
            taxonomy = read_taxonomy(data, where)
            _refuse_taken(taxonomy, where, origins)
            if taxonomy.name != MERGED:
                _refuse_meanings(taxonomy, where, taxonomies[MERGED])
        except BadData as error:
            problems.append(str(error))
            continue
        taxonomies[taxonomy.name] = taxonomy
        origins[taxonomy.name] = where
    books = written.all() if written is not None else {}
    for name, versions in books.items():
        problems += versions.problems
        if name in origins:
            problems.append(f'the codebook "{name}" has the name of {origins[name]} and is left out')
        elif versions.versions:
            taxonomies[name] = versions.latest
            origins[name] = f"codebook {name} of the store"
    return Codebook(taxonomies=taxonomies, origins=origins, problems=tuple(problems))


def _refuse_taken(taxonomy: Taxonomy, where: str, origins: dict[str, str]) -> None:
    if taxonomy.name in origins:
        raise BadData(
            f'{where}: the name "{taxonomy.name}" is that of {origins[taxonomy.name]}', "give it another one"
        )


def _refuse_meanings(taxonomy: Taxonomy, where: str, merged: Taxonomy) -> None:
    wrong = unknown_meanings(taxonomy, merged)
    if wrong:
        raise BadData(f"{where}: {wrong[0]}")


def _shipped(problems: list[str]) -> list[NamedFile]:
    """Files of our own, the merged taxonomy first, and of plug-ins, in alphabetical order."""
    own = files_in("webbench.core.labels.taxonomies")
    found = sorted(own, key=lambda one: (not one[0].endswith(f"/{MERGED}{ENDING}"), one[0]))
    return [*found, *plugin_files(TAXONOMIES, "taxonomies", problems)]
