"""How Sphinx makes the site; the names are Sphinx's own."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "bots" / "sdk")]  # the kit is imported as a bot's author does

from deploy.site.search import Words  # noqa: E402

project = "Bot arena"
author = "The bot arena's authors"
project_copyright = author
version = release = version_of("bot-arena")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["examples"]
default_role = "code"
highlight_language = "text"

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"Bot arena {version}"
html_copy_source = False
html_show_search_summary = False  # which a page that was opened as a file may not read
html_show_sourcelink = False
html_search_language = Words.lang
html_theme_options = {"top_of_page_buttons": []}
html_static_path: list[str] = []

linkcheck_ignore = [r"https?://([\w.-]+\.)?(arena|teacher|example)[\w.-]*(:\d+)?(/.*)?"]
"""Addresses that stand for the reader's own."""

CHINESE = "zh-Hant-TW"


def setup(app: Sphinx) -> None:
    """Find Chinese, too, say of each page in which language it is, and show what docstrings indent."""
    app.add_search_language(Words)
    app.connect("html-page-context", _in_its_language)
    app.connect("autodoc-process-docstring", _with_examples)


def _in_its_language(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    context["language"] = CHINESE if CHINESE in page.split("/") else "en"


def _with_examples(
    _app: Sphinx, _what: str, _name: str, _of: object, _options: object, lines: list[str]
) -> None:
    for number in reversed(range(len(lines) - 2)):
        line, between, indented = lines[number : number + 3]
        if line and not between and not line.startswith((" ", "..")) and indented.startswith("    "):
            lines[number : number + 1] = [f"{line}:"] if line.endswith(":") else [line, "", "::"]
