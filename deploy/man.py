"""Write manual pages of the command line, from the commands themselves: `python -m deploy.man FOLDER`.

There is one of `arena`, with the commands that belong to no group, and one of every group; in English below
`man1`, and in each language that the command line speaks below `LANGUAGE/man1`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from arena.cli.app import GROUPS
from arena.cli.shared.columns import BETWEEN
from arena.cli.shared.commands import Page, page_of
from arena.cli.tree import commands, context_of
from arena.core.words import LOCALE, say, speak


def write(folder: Path) -> list[Path]:
    """Write all pages below that folder; returns them."""
    return [
        path
        for language in (None, *languages())
        for path in _write(folder / (language or "") / "man1", language)
    ]


def languages() -> list[str]:
    """Those that the command line speaks beside English."""
    return sorted(path.name for path in LOCALE.iterdir() if path.is_dir())


def _write(folder: Path, language: str | None) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    with spoken(language):
        for main in mains():
            path = folder / f"{main.title}.1"
            path.write_text("\n".join(_roff(main)) + "\n", encoding="utf-8")
            yield path


@contextmanager
def spoken(language: str | None) -> Iterator[None]:
    """The command line speaks that language for a while, English where it is None."""
    speak(translated=language is not None)
    before = os.environ.get("LANGUAGE")
    os.environ["LANGUAGE"] = language or "en"
    try:
        yield
    finally:
        os.environ.pop("LANGUAGE")
        if before is not None:
            os.environ["LANGUAGE"] = before
        speak(translated=True)


class Main(NamedTuple):
    """`arena` or one of its groups: what its page is called, its help, that of its commands, other pages."""

    title: str
    page: Page
    below: list[tuple[str, Page]]
    others: list[str]


def mains() -> Iterator[Main]:
    """All of them, `arena` first, in the language that is spoken."""
    tree = dict(commands())
    pages = {name: page_of(context_of(tree, name)) for name in tree}
    for main in ("", *GROUPS):
        below = [
            (name, page)
            for name, page in pages.items()
            if name != main and (name.startswith(f"{main} ") if main else name.split(" ")[0] not in GROUPS)
        ]
        yield Main(_title(main), pages[main], below, sorted(map(_title, {"", *GROUPS} - {main})))


def _title(main: str) -> str:
    return f"arena-{main}" if main else "arena"


def _roff(main: Main) -> Iterator[str]:
    title, page, below, others = main
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
    yield from (".SH SEE ALSO", ", ".join(f"{other}(1)" for other in others))


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
