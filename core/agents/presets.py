"""Presets: an agent with options under a name of its own, as TOML files.

    agent = "model"                      # an agent, or another preset that this one builds on
    title = "One line for lists"
    source = "what it follows: a paper's section, for example"
    benchmarks = ["webarena"]            # it is made for; empty: for any
    words = []                           # options that are no name=value, such as a program
    [options]
    temperature = 1.0

The name is that of the file. Built-in ones and those of plug-ins are in packages that the entry point group
`webbench.presets` names; the user's are in the folder `agents` beside the settings and win over these.
Options of the command line win over a preset's, a preset's over those of the one it builds on, and all of
them over the settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import AGENTS, PRESETS
from webbench.core.plugins.toml_files import folder_files, plugin_files
from webbench.core.settings.locations import presets_folder
from webbench.core.text import toml_decoding
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip

LARGEST_FILE = 64 * 1024
DEEPEST = 8
"""Presets may build on each other so often."""

OptionValue = str | int | float | bool | list[str]


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file; see the module."""

    agent: str
    title: str = ""
    source: str = ""
    benchmarks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    options: dict[str, OptionValue] = {}


class EffectiveOption(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a preset, and the preset that sets it."""

    name: str
    value: str
    preset: str


class Presets(msgspec.Struct, frozen=True, kw_only=True):
    """Presets by name.

    Attributes:
        origins: file that each is from.
        hidden: files of presets that another of the same name wins over.
        problems: files that can't be used, with the reason.
    """

    presets: Mapping[str, Preset]
    origins: Mapping[str, str]
    hidden: Mapping[str, str] = {}
    problems: tuple[str, ...] = ()

    def words_of(self, name: str) -> list[str]:
        """The agent that a preset comes down to, then its words and options, the strongest last.

        Raises `UsageError` where neither a preset nor an agent has the name, `BadData` for presets that
        build on each other without an end.
        """
        chain = list(self._chain(name))
        words = [word for _, preset in reversed(chain) for word in preset.words]
        options = [f"{option.name}={option.value}" for option in self.options_of(name)]
        return [chain[-1][1].agent, *words, *options]

    def options_of(self, name: str) -> list[EffectiveOption]:
        """The options that a preset comes down to. Raises as `words_of` does."""
        found: dict[str, EffectiveOption] = {}
        for called, preset in reversed(list(self._chain(name))):
            for option, value in preset.options.items():
                found[option] = EffectiveOption(name=option, value=_written(value), preset=called)
        return list(found.values())

    def base_of(self, name: str) -> str:
        """The agent that a preset comes down to. Raises as `words_of` does."""
        return list(self._chain(name))[-1][1].agent

    def _chain(self, name: str) -> Iterator[tuple[str, Preset]]:
        """The preset and those it builds on, down to one that names an agent."""
        agents = entry_points.load(AGENTS)
        for _ in range(DEEPEST):
            if name not in self.presets:
                raise _unknown(name, [*agents, *self.presets])
            yield name, self.presets[name]
            name = self.presets[name].agent
            if name in agents:
                return
        raise BadData(f'the preset "{name}" builds on itself, or on more than {DEEPEST} others')


def load_presets(folder: Path | None = None) -> Presets:
    """All presets; a file that can't be used is told in `problems`.

    Args:
        folder: of the user's own; None for the one beside the settings.
    """
    problems: list[str] = []
    presets: dict[str, Preset] = {}
    origins: dict[str, str] = {}
    hidden: dict[str, str] = {}
    shipped = plugin_files(PRESETS, "presets", problems)
    for where, data in [*shipped, *folder_files(folder or presets_folder(), LARGEST_FILE, problems)]:
        name = Path(where).stem
        try:
            preset = read_preset(data, where)
        except BadData as error:
            problems.append(str(error))
            continue
        if name in origins:
            hidden[name] = origins[name]
        presets[name], origins[name] = preset, where
    return Presets(presets=presets, origins=origins, hidden=hidden, problems=tuple(problems))


def read_preset(data: bytes, where: str) -> Preset:
    """The preset of a TOML file; `where` names it in messages.

    Raises `BadData` for anything that isn't as it should be, and for the name of an agent.
    """
    if len(data) > LARGEST_FILE:
        raise BadData(f"{where} is larger than {LARGEST_FILE} bytes", "a preset is a short text")
    if Path(where).stem in entry_points.load(AGENTS):
        raise BadData(f"{where} has the name of an agent", "give the file another name")
    try:
        return msgspec.convert(toml_decoding.decode(data), Preset)
    except msgspec.ValidationError as error:
        raise BadData(f"{where} is no preset: {error}") from error
    except ValueError as error:
        raise BadData(f"{where} is no TOML: {error}") from error


def _written(value: OptionValue) -> str:
    """As an option's word has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "|".join(value) if isinstance(value, list) else str(value)


def _unknown(name: str, known: list[str]) -> UsageError:
    near = nearest_names(name, known)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return UsageError(
        f'There is no agent named "{plain_clip(name, 60)}"',
        f"{hint}known: {', '.join(sorted(known))}",
    )
