"""Compare the catalogues of the pages with what the pages say: `python -m deploy.check_translations`.

The messages are extracted from the code, the templates and the scripts under `arena/web/pages`. Fails,
naming the message, when a catalogue lacks it, leaves it empty or fuzzy, holds one that nothing says, or fills
other placeholders.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

PAGES = Path(__file__).parents[1] / "arena" / "web" / "pages"
METHODS = [
    ("**.py", "python"),
    ("**/templates/**.html", "jinja2.ext:babel_extract"),
    ("**/templates/**.xml", "jinja2.ext:babel_extract"),
    ("static/vendor/**", "ignore"),
    ("static/**.js", "javascript"),
]
KEYWORDS = {"gettext": None, "ngettext": (1, 2), "_": None, "N_": None}
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]")


def said(pages: Path) -> Catalog:
    """Every message in the code, the templates and the scripts under `pages`."""
    catalog = Catalog()
    options = {f"**/templates/**.{each}": {"trimmed": "true", "silent": "false"} for each in ("html", "xml")}
    for filename, line, message, comments, context in extract_from_dir(
        pages, METHODS, options, keywords=KEYWORDS, strip_comment_tags=True
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


def main(pages: Path = PAGES) -> int:
    """Print the faults; 1 if there are any, else 0."""
    found = faults(pages)
    for line in found:
        print(line, file=sys.stderr)  # noqa: T201  (this is a command)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
