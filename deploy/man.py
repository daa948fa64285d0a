"""Write manual pages of the command line, from the commands themselves: `python -m deploy.man FOLDER`.

There is one of `arena`, with the commands that belong to no group, and one of every group; in English below
`man1`, and in each language that the command line speaks below `LANGUAGE/man1`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from arena.cli.app import GROUPS
from arena.cli.shared.columns import BETWEEN
from arena.cli.shared.commands import Page, page_of
from arena.cli.tree import commands, context_of
from arena.core.words import LOCALE, say, speak


def write(folder: Path) -> list[Path]:
    """Write all pages below that folder; returns them."""
    languages = sorted(path.name for path in LOCALE.iterdir() if path.is_dir())
    return [
        path
        for language in (None, *languages)
        for path in _write(folder / (language or "") / "man1", language)
    ]


def _write(folder: Path, language: str | None) -> Iterator[Path]:
    speak(translated=language is not None)
    before = os.environ.get("LANGUAGE")
    os.environ["LANGUAGE"] = language or "en"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in _pages():
            path = folder / f"{name}.1"
            path.write_text(text, encoding="utf-8")
            yield path
    finally:
        os.environ.pop("LANGUAGE")
        if before is not None:
            os.environ["LANGUAGE"] = before
        speak(translated=True)


def _pages() -> Iterator[tuple[str, str]]:
    tree = dict(commands())
    pages = {name: page_of(context_of(tree, name)) for name in tree}
    for main in ("", *GROUPS):
        below = [
            (name, page)
            for name, page in pages.items()
            if name != main and (name.startswith(f"{main} ") if main else name.split(" ")[0] not in GROUPS)
        ]
        others = sorted({"", *GROUPS} - {main})
        title = f"arena-{main}" if main else "arena"
        yield title, "\n".join(_roff(title, pages[main], below, others)) + "\n"


def _roff(title: str, page: Page, below: list[tuple[str, Page]], others: list[str]) -> Iterator[str]:
    yield ".ad l"
    yield f'.TH {title.upper()} 1 "" "bot-arena {version("bot-arena")}"'
    yield from (".SH NAME", f"{_safe(title)} \\- {_safe(page.paragraphs[0])}")
    yield from (".SH SYNOPSIS", f".B {_safe(page.usage)}")
    yield from (".SH DESCRIPTION", *_body(page))
    if below:
        yield ".SH COMMANDS"
    for name, each in below:
        yield f'.SS "arena {name}"'
        yield from (f".B {_safe(each.usage)}", ".PP", *_body(each))
    yield from (".SH SEE ALSO", ", ".join(f"arena{'-' if other else ''}{other}(1)" for other in others))


def _body(page: Page) -> Iterator[str]:
    for paragraph in page.paragraphs:
        yield from (_safe(paragraph), ".PP")
    for section in page.sections:
        yield from (_safe(section.heading), ".RS")
        for name, words in section.rows:
            yield from (".TP", f".B {_safe(name)}", _safe(words) or "\\&")
        yield from (".RE", ".PP")
    yield from (_safe(say("Examples:")), ".PP", ".nf", ".RS")
    yield from map(_safe, page.examples)
    yield from (".RE", ".fi")


def _safe(text: str) -> str:
    """The text as it is, whatever it begins with and has in it."""
    plain = BETWEEN.sub(r"\\:", text.replace("\\", "\\e").replace("-", "\\-"))
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    write(Path(sys.argv[1]))
