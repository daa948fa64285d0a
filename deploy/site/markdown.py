"""Texts of the program as Markdown that says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

CODE = re.compile(r"(`[^`]*`)")
ORPHAN = "---\norphan: true\n---\n\n"
"""What a page begins with that is not in the contents beside every page, which are to be read at once."""
SPECIAL = re.compile(r"([\\*_<>\[\]|{}#~^])")


def plain(text: str) -> str:
    """The text in one line, with only its code spans marked up."""
    parts = CODE.split(" ".join(text.split()))
    return "".join(
        part.replace("|", r"\|") if number % 2 else SPECIAL.sub(r"\\\1", part)
        for number, part in enumerate(parts)
    )


def code(text: str) -> str:
    """The text as code, also in a cell of a table."""
    return f"`{text}`".replace("|", r"\|")


def table(headings: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """A table of cells that are Markdown; empty without rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(headings)} |", "|---" * len(headings) + "|", *lines]) if lines else ""


def index(title: str, intro: str, pages: Iterator[tuple[str, str, str]]) -> str:
    """A page that lists others: each with its path, its title and what is in it."""
    lines = (f"- [{name}]({path}){f': {about}' if about else ''}" for path, name, about in pages)
    return "\n".join([f"# {title}", "", intro, "", *lines]) + "\n"
