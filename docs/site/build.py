"""Builds the docs as a site: `make docs`, or `python docs/site/build.py FOLDER`.

The docs are written to be read in the repository, too, so their links name files of the repository. Here
the pages are put together in one folder: those of docs/, the READMEs and the other texts in `SHOWN`, and the
reference of commands, which is made from the program. A link to a text that the site shows leads to its
page; one to any other file becomes the file's path. Sphinx then makes the site. A link to something that
doesn't exist ends the build, and so does a page that would load anything from the network.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
import tempfile
from pathlib import Path

import command_reference
import python_reference
from sphinx.cmd.build import build_main

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
SHOWN = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/plugin/README.md": "example-plug-in.md",
    "benchmarks/webarena/bundle/README.md": "benchmarks/laptop-arena.md",
    "benchmarks/webarena/verified/README.md": "benchmarks/webarena-verified.md",
    **{
        f"benchmarks/{readme.parent.name}/README.md": f"benchmarks/{readme.parent.name}.md"
        for readme in sorted(REPOSITORY.glob("benchmarks/*/README.md"))
    },
}
"""Texts of the repository that are pages, and their places on the site."""
MADE = {"reference/commands.md": command_reference.page, "reference/python.md": python_reference.page}
"""Pages that are made from the code."""
CONTENTS = {
    "Use it": (
        *("get-started", "step-a-task", "human-baselines", "analyse-errors", "analysis-session"),
        *("whole-runs", "run-an-agent"),
        *("batch", "python", "score-predictions", "papers", "casts/README"),
    ),
    "Agents": ("model-agents", "command-agents", "browsergym-agents", "browser-use-agents", "mcp"),
    "Benchmarks": (
        *("benchmarks", "browsergym-environments"),
        *(place.removesuffix(".md") for place in SHOWN.values() if place.startswith("benchmarks/")),
    ),
    "Formats": ("formats", "import-accounts", "training-data", "trajectory-format"),
    "Bring your own": (
        *("plug-ins", "add-a-benchmark", "add-a-format", "add-an-agent", "add-a-verb", "example-plug-in"),
    ),
    "Reference": (
        *(
            "commands",
            "reference/commands",
            "reference/python",
            "reference/contracts",
            "keys",
            "settings",
            "security",
            "drivers",
        ),
        "performance",
    ),
    "The house": ("architecture", "where", "contributing", "changelog"),
}
"""What stands where in the list of pages."""
ASSETS = {".png", ".svg", ".cast"}
LINK = re.compile(r"(?P<text>\[(?:[^\[\]]|\[[^\]]*\]\([^)]*\))*\])\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^ *(`{3,}).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
LOADED = re.compile(
    r"<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)=[\"']?(?:https?:)?//[^\"'\s>]+", re.IGNORECASE
)


class BrokenLink(Exception):
    """A link to a file that the repository doesn't have."""


def collect(folder: Path) -> None:
    """Writes all pages, with their pictures, into a folder. Raises `BrokenLink`."""
    for file in sorted(DOCS.rglob("*")):
        place = file.relative_to(DOCS)
        if file.suffix in ASSETS or (file.suffix == ".md" and place.parts[0] != "site"):
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".md":
                target.write_text(page(f"docs/{place.as_posix()}", place.as_posix()), "utf-8")
            else:
                shutil.copyfile(file, target)
    for source, shown in SHOWN.items():
        (folder / shown).parent.mkdir(parents=True, exist_ok=True)
        (folder / shown).write_text(page(source, shown), "utf-8")
    for name, text in MADE.items():
        (folder / name).write_text(text(), "utf-8")
    lists = (_contents(title, pages) for title, pages in CONTENTS.items())
    with (folder / "index.md").open("a", encoding="utf-8") as index:
        index.write("\n".join(["", *lists]))


def page(source: str, place: str) -> str:
    """A text of the repository as a page of the site. What stands in code blocks is left alone."""
    text = (REPOSITORY / source).read_text("utf-8")
    parts, last = [], 0
    for block in FENCE.finditer(text):
        parts += [_linked(text[last : block.start()], source, place), block[0]]
        last = block.end()
    return "".join([*parts, _linked(text[last:], source, place)])


def loaded_from_elsewhere(site: Path) -> list[str]:
    """What pages would ask the network for, with the page's name."""
    return [
        f"{file.relative_to(site)}: {found[0]}"
        for file in sorted(site.rglob("*.html"))
        for found in LOADED.finditer(file.read_text("utf-8"))
    ]


def main(site: Path) -> int:
    """Exit code 0 when the site was built without a warning."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            collect(Path(folder))
        except BrokenLink as broken:
            print(broken, file=sys.stderr)
            return 1
        shutil.rmtree(site, ignore_errors=True)
        words = ["-q", "-W", "--keep-going", "-j", "2", "-c", str(Path(__file__).parent)]
        failed = build_main([*words, "-d", str(Path(folder) / ".doctrees"), folder, str(site)])
    remote = loaded_from_elsewhere(site)
    print(*remote, sep="\n", end="", file=sys.stderr)
    return 1 if failed or remote else 0


def _contents(title: str, pages: tuple[str, ...]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])


def _linked(text: str, source: str, place: str) -> str:
    return LINK.sub(lambda link: _link(link["text"], link["target"], source, place), text)


def _link(text: str, target: str, source: str, place: str) -> str:
    """A link as the site has it; `text` may hold a link's picture in brackets of its own."""
    path, _, anchor = target.partition("#")
    if re.match(r"[a-z]+:", target) or not path:
        return f"{text}({target})"
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if not (REPOSITORY / wanted).exists() and wanted.removeprefix("docs/") not in MADE:
        raise BrokenLink(f"{source} links to {target}, which doesn't exist")
    if wanted in SHOWN:
        shown = SHOWN[wanted]
    elif wanted.startswith("docs/") and not wanted.endswith(".py"):
        shown = wanted.removeprefix("docs/")
    else:
        words = text[1:-1]
        return words if wanted in words else f"{words} (`{wanted}`)"
    relative = posixpath.relpath(shown, posixpath.dirname(place) or ".")
    return f"{text}({relative}{'#' + anchor if anchor else ''})"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else REPOSITORY / "build" / "docs")))
