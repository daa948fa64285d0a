"""Compare the catalogues of the pages with what the pages say: `python -m deploy.check_translations`.

The messages are extracted from the code, the templates and the scripts under `arena/web/pages`, and from the
errors by which the services refuse what a page can ask for; and so are the sentences of `arena/web/answers`,
which the API says in English. Fails, naming the message, when a catalogue lacks it, leaves it empty or fuzzy,
holds one that nothing says, or fills other placeholders; where such an error is made of a text that no
catalogue can have; when a guide lacks in one language what it has in another: a section, a link, code; and
what `deploy.cli_messages` finds in those of the command line.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from markdown_it import MarkdownIt

from deploy import cli_messages

REFUSING = (
    *(
        "access",
        *("coordinator/enrolment.py", "coordinator/purging.py"),
        *("events/addresses.py", "events/questions.py", "events/webhooks.py"),
        "experiments/grid.py",
        "experiments/lifecycle.py",
        "experiments/players.py",
        "experiments/quotas.py",
        *("experiments/solves.py", "experiments/sweeps.py", "experiments/trainings.py"),
        *("schemas/matches.py", "schemas/plans.py"),
        "results/grading.py",
        "results/likeness.py",
        "results/seasons.py",
        "submissions",
        "tournaments",
        "planning",
        "play",
        "theory/pairing",
        *("theory/standings", "theory/statistics/sprt.py"),
        "core/games.py",
        "core/names.py",
        "core/sayings.py",
        "core/lookalikes.py",
        "core/validation.py",
        "interchange/roster.py",
    ),
    *("people/administering.py", "people/classes.py", "people/following.py", "people/links.py"),
    "people/passkeys.py",
    *("people/rosters.py", "scrimmages"),
    *("people/sessions.py", "people/users.py", "coordinator/losses.py", "coordinator/workers.py"),
    *(
        *("web/pages/lab_forms.py", "web/pages/plan_forms.py"),
        "web/pages/forms.py",
        "web/pages/freezing.py",
        "web/pages/managing.py",
        "web/pages/play.py",
        "web/pages/play_forms.py",
    ),
    *("web/pages/questions.py", "web/pages/staff.py"),
    *("web/pages/staff_users.py", "web/pages/staff_webhooks.py"),
)
"""Where what is refused is told on pages, below the package that these are in."""
RULES = ("engines/game.py", "engines/games", "engines/openings.py", "engines/strategies")
"""Likewise, beside it: what a game's parameters, openings and players cannot be, and no move of it."""
REFUSALS = frozenset(
    {
        *("ArenaError", "InvalidError", "ForbiddenError", "NotFoundError", "ConflictError", "ChangedError"),
        *("FileFormatError", "FormatError", "OrderError", "PassedError", "TooManyError"),
        *("FullQuotaError", "GridError"),
        *("LineError", "Saying"),
        *("ParameterError", "OpeningsError", "OrderedError", "HypothesesError"),
        *("IllegalMoveError", "UnreadableMoveError"),
        *("PlayerError", "StrategyError", "UnknownGameError"),
    }
)
"""The errors whose messages pages show; of the others they say by the kind what has happened."""
PAGES = Path(__file__).parents[1] / "arena" / "web" / "pages"
METHODS = [
    ("**.py", "python"),
    ("**/templates/**.html", "jinja2.ext:babel_extract"),
    ("**/templates/**.xml", "jinja2.ext:babel_extract"),
    ("static/vendor/**", "ignore"),
    ("static/**.js", "javascript"),
]
KEYWORDS = {"gettext": None, "ngettext": (1, 2), "_": None, "N_": None, "NN_": (1, 2)}
AGAIN = {"error.message", "str(error)"}
"""How an error says what another one has said: with its message, or of the games and workers as it is."""
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]")
BARE = re.compile(r"(?<!%)%(?:%%)*(?!%)")
"""A percent sign, and not two of them for one."""


def said(pages: Path) -> Catalog:
    """Every message in the code, the templates and the scripts under `pages`, and beside in the answers."""
    catalog = Catalog()
    options = {f"**/templates/**.{each}": {"trimmed": "true", "silent": "false"} for each in ("html", "xml")}
    for folder in (pages, pages.parent / "answers"):
        for filename, line, message, comments, context in extract_from_dir(
            folder, METHODS, options, keywords=KEYWORDS, strip_comment_tags=True
        ):
            catalog.add(message, None, [(filename, line)], auto_comments=comments, context=context)
    for where, line, refusal in _refusals(pages.parents[1]):
        if refusal is not None:
            catalog.add(refusal, None, [(where, line)])
    return catalog


def _refusals(arena: Path) -> Iterator[tuple[str, int, str | None]]:
    """File and line of each error that a page can show, and its message, None where it is no constant.

    Where an error says what another one has said, that is not looked at.
    """
    places = [*(arena / place for place in REFUSING), *(arena.parent / place for place in RULES)]
    for path in sorted(file for place in places for file in _files(place)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            message = node.args[0]
            if node.func.id not in REFUSALS or ast.unparse(message) in AGAIN:
                continue
            constant = isinstance(message, ast.Constant) and isinstance(message.value, str)
            yield path.relative_to(arena.parent).as_posix(), node.lineno, message.value if constant else None  # type: ignore[attr-defined]  # a constant has a value


def _files(place: Path) -> list[Path]:
    return sorted(place.glob("*.py")) if place.is_dir() else [place] if place.is_file() else []


def faults(pages: Path) -> list[str]:
    """What is wrong with the catalogues under `pages`, a line a message; empty when all is well."""
    wanted = said(pages)
    paths = sorted(pages.glob("locale/*/LC_MESSAGES/messages.po"))
    found = [fault for path in paths for fault in _catalog_faults(path, wanted)]
    return found + [
        f"{where}:{line} refuses with a text that cannot be translated; name its values"
        for where, line, message in _refusals(pages.parents[1])
        if message is None
    ]


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
        if _is_bare(text) and not any(map(_is_bare, _texts(message.id))):
            yield "has a percent sign that begins no placeholder; write it twice"


def _is_bare(text: str) -> bool:
    return BARE.search(PLACEHOLDER.sub("", text)) is not None


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
    found = [*faults(pages), *guide_faults(pages), *cli_messages.faults()]
    for line in found:
        print(line, file=sys.stderr)  # noqa: T201  (this is a command)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
