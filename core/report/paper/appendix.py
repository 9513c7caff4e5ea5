"""The appendix of a paper: methods, every table and every figure of runs in one folder, with an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from webbench.core.analysis.paper.every_figure import PaperFigures, paper_figures
from webbench.core.analysis.runs.whole_run import Progress, analyse
from webbench.core.exchange.atomic_output import appearing
from webbench.core.report.paper.figure_files import FORMATS, write_figure
from webbench.core.report.paper.number_tables import write_tables
from webbench.core.report.paper.plot_style import plotting
from webbench.core.statistics.figures import Analysis
from webbench.core.store.store import Store
from webbench.core.text.latex import declared_signs, latex
from webbench.core.text.plain_text import plain_text

FIGURES, TABLES = "figures", "tables"
PREAMBLE = (
    "% Compile it in this folder. It needs the packages below.\n"
    "% pdfLaTeX prints the number of a sign that it doesn't know; LuaLaTeX needs a font that has it.\n"
    "\\documentclass{article}\n"
    "\\usepackage{iftex}\n"
    "\\ifPDFTeX\\usepackage[T1]{fontenc}\\input{signs.tex}\\else\\usepackage{fontspec}\\fi\n"
    "\\usepackage{booktabs,longtable,graphicx,textcomp}\n"
    "\\begin{document}\n"
)
SIGNS = "signs.tex"
"""What `appendix.tex` reads in for pdfLaTeX."""


def write_appendix(
    store: Store,
    runs: Sequence[str],
    folder: Path,
    *,
    reference: str = "",
    seed: int = 0,
    force: bool = False,
    progress: Progress = lambda _done, _of: None,
) -> tuple[str, ...]:
    """`appendix.tex`, `signs.tex`, `index.md`, `tables/`, `figures/`; what of the records could not be read.

    Raises as `paper_figures` and `appearing`, and `UsageError` without matplotlib.
    """
    with plotting():
        analysis = analyse(store, runs, seed=seed, progress=progress).analysis
        found = paper_figures(store, runs, reference=reference, seed=seed)
        with appearing(folder, force=force) as made:
            (made / FIGURES).mkdir(parents=True)
            figures = [write_figure(made / FIGURES, one, tuple(FORMATS)) for one in found.figures]
            found = msgspec.structs.replace(found, figures=tuple(figures))
            every = [figure for section in analysis.sections for figure in section.figures]
            tables = write_tables(made / TABLES, every)
            names = [path.name for path in tables if path.suffix == ".tex"]
            (made / "appendix.tex").write_text("\n".join(_tex(analysis, found, names)) + "\n", "utf-8")
            written = "".join(path.read_text("utf-8") for path in sorted(made.rglob("*.tex")))
            (made / SIGNS).write_text("\n".join(declared_signs(written)) + "\n", "utf-8")
            problems = tuple(dict.fromkeys((*analysis.problems, *found.problems)))
            (made / "index.md").write_text(
                "\n".join(_index(analysis, found, names, problems)) + "\n", "utf-8"
            )
    return problems


def _tex(analysis: Analysis, found: PaperFigures, tables: Sequence[str]) -> Iterator[str]:
    yield PREAMBLE + "\\section*{Methods}"
    yield from (f"{latex(sentence)}\n" for sentence in analysis.methods)
    yield "\\section*{Figures}"
    for figure in found.figures:
        if figure.plot is None:
            yield f"% {figure.name}: {latex(figure.empty)}"
            continue
        yield "\\begin{figure}\n\\centering"
        size = "width=\\linewidth,height=0.9\\textheight,keepaspectratio"
        yield f"\\includegraphics[{size}]{{{FIGURES}/{figure.name}.pdf}}"
        yield f"\\caption{{{latex(figure.whole_caption)}}}\\label{{fig:{figure.name}}}\n\\end{{figure}}"
        yield "\\clearpage"
    yield "\\section*{Numbers of the figures}"
    yield from (
        f"\\input{{{FIGURES}/{one.name}.tex}}\n\\clearpage" for one in found.figures if one.table.columns
    )
    yield "\\section*{Tables}"
    yield from (f"\\input{{{TABLES}/{name}}}\n\\clearpage" for name in tables)
    yield "\\end{document}"


def _index(
    analysis: Analysis, found: PaperFigures, tables: Sequence[str], problems: Sequence[str]
) -> Iterator[str]:
    yield f"# Appendix: {_line(analysis.benchmark) or 'runs'}\n"
    yield "`appendix.tex` reads all of it in; each file stands alone as well.\n\n## Runs\n"
    yield from (f"- {one.letter}: {_line(one.agent)}, run `{one.run}`" for one in analysis.actors)
    yield f"\n## Figures\n\nIn `{FIGURES}/`, each as {', '.join(FORMATS)}, csv and tex.\n"
    for figure in found.figures:
        told = f"not drawn: {figure.empty}" if figure.plot is None else figure.whole_caption
        yield f"- `{figure.name}`: {_line(told)}"
    yield f"\n## Tables\n\nIn `{TABLES}/`, each as csv and tex.\n"
    yield from (f"- `{name.removesuffix('.tex')}`" for name in tables)
    yield "\n## Methods\n"
    yield from (f"{_line(sentence)}\n" for sentence in analysis.methods)
    if problems:
        yield "## What could not be read\n"
        yield from (f"- {_line(one)}" for one in problems)


def _line(text: str) -> str:
    """Foreign text on one line of Markdown, without markup of its own."""
    return "".join(f"\\{one}" if one in "\\`*_[]<>#|$" else one for one in plain_text(text))
