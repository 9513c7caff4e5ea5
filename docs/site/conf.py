"""How Sphinx makes the site: nothing is loaded from the network, and its search works from the disk."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

project = "webbench-tui"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "webbench-tui"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
myst_heading_anchors = 4
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False
napoleon_use_ivar = True


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _plain_asterisks, priority=900)


def _plain_asterisks(*given: object) -> None:
    """Docstrings are plain text with code in it: a pattern such as *.example.org is no emphasis."""
    lines = given[-1]
    if isinstance(lines, list):
        lines[:] = [re.sub(r"(?<![\\*])\*(?!\*)", r"\\*", line) for line in lines]
