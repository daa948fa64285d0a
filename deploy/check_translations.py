"""Compare the catalogues of the pages with what the pages say: `python -m deploy.check_translations`.

The messages are extracted from the code, the templates and the scripts under `arena/web/pages`, and from the
sentences of `arena/web/answers`, which the API says in English. Fails,
naming the message, when a catalogue lacks it, leaves it empty or fuzzy, holds one that nothing says, or fills
other placeholders; and when a guide lacks in one language what it has in another: a section, a link, code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from markdown_it import MarkdownIt

PAGES = Path(__file__).parents[1] / "arena" / "web" / "pages"
METHODS = [
    ("**.py", "python"),
    ("**/templates/**.html", "jinja2.ext:babel_extract"),
    ("static/vendor/**", "ignore"),
    ("static/**.js", "javascript"),
]
KEYWORDS = {"gettext": None, "ngettext": (1, 2), "_": None, "N_": None, "NN_": (1, 2)}
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]")


def said(pages: Path) -> Catalog:
    """Every message in the code, the templates and the scripts under `pages`, and beside in the answers."""
    catalog = Catalog()
    options = {"**/templates/**.html": {"trimmed": "true", "silent": "false"}}
    for folder in (pages, pages.parent / "answers"):
        for filename, line, message, comments, context in extract_from_dir(
            folder, METHODS, options, keywords=KEYWORDS, strip_comment_tags=True
        ):
            catalog.add(message, None, [(filename, line)], auto_comments=comments, context=context)
    return catalog


def faults(pages: Path) -> list[str]:
    """What is wrong with the catalogues under `pages`, a line a message; empty when all is well."""
    wanted = said(pages)
    paths = sorted(pages.glob("locale/*/LC_MESSAGES/messages.po"))
    return [fault for path in paths for fault in _catalog_faults(path, wanted)]


def _catalog_faults(path: Path, wanted: Catalog) -> Iterator[str]:
    name = path.parts[-3]
    with path.open("rb") as file:
        catalog = read_po(file, locale=name, abort_invalid=True)
    for message in _messages(wanted):
        where = ", ".join(f"{file}:{line}" for file, line in message.locations)
        translation = catalog.get(message.id, message.context)
        if translation is None:
            yield f"{name}: {message.id!r} ({where}) is missing"
        else:
            yield from (f"{name}: {message.id!r} ({where}) {fault}" for fault in _message_faults(translation))
    for message in _messages(catalog):
        if wanted.get(message.id, message.context) is None:
            yield f"{name}: {message.id!r} is said nowhere"


def _messages(catalog: Catalog) -> list[Message]:
    """The messages without the header, which has an empty id."""
    return [message for message in catalog if message.id]


def _message_faults(message: Message) -> Iterator[str]:
    strings = _texts(message.string)
    if message.fuzzy:
        yield "is fuzzy"
    if not strings or not all(text.strip() for text in strings):
        yield "is not translated"
        return
    wanted = {name for text in _texts(message.id) for name in PLACEHOLDER.findall(text)}
    for text in strings:
        found = set(PLACEHOLDER.findall(text))
        if found != wanted:
            yield f"has the placeholders {sorted(found)}, not {sorted(wanted)}"


def _texts(value: str | list[str] | tuple[str, ...] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def guide_faults(pages: Path) -> Iterator[str]:
    """How the guides under `pages` differ from language to language, a line each."""
    for english in sorted(pages.glob("guides/*.en.md")):
        name, wanted = english.name.removesuffix(".en.md"), _outline(english)
        others = [each for each in english.parent.glob(f"{name}.*.md") if each != english]
        if not others:
            yield f"the guide {name!r} is in English only"
        for other in others:
            found = _outline(other)
            lacks = [what for what in wanted if what not in found]
            more = [what for what in found if what not in wanted]
            if lacks or more or len(found) != len(wanted):
                yield f"{other.name} lacks {lacks} of {english.name}, and has {more} besides"


def _outline(path: Path) -> list[str]:
    """The headings' levels with their numbers, the links and the code of a text."""
    tokens = MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
    heads = [token.tag for token in tokens if token.type == "heading_open"]
    parts = [f"{tag} {number}" for number, tag in enumerate(heads)]
    links = [
        f"a link to {link.attrs['href']}"
        for token in tokens
        for link in token.children or ()
        if link.type == "link_open"
    ]
    return [*parts, *links, *(token.content for token in tokens if token.type in {"fence", "code_block"})]


def main(pages: Path = PAGES) -> int:
    """Print the faults; 1 if there are any, else 0."""
    found = [*faults(pages), *guide_faults(pages)]
    for line in found:
        print(line, file=sys.stderr)  # noqa: T201  (this is a command)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
