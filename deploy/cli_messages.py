"""Compare the catalogue of the command line with what it says.

Its messages are the constants that `say`, `say_many` and `N_` are called with in the command line, the client
and what works without a server; the titles of tables; the help of every command and option; the words of
closed lists, such as states; what Typer asks gettext for; and what games refuse by. A fault is a message that
the catalogue lacks, has empty or fuzzy, fills other braces or names of, or that nothing says.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

from arena.cli.shared.commands import paragraphs
from arena.cli.tournament.tables import SHORT
from arena.cli.tree import commands
from arena.core import terms
from arena.core.running import ArenaPhase, ChildPhase
from arena.theory.pairing.contract import FormatName
from arena.theory.standings.order import TIE_BREAKS
from engines.game import ScoreSense
from workers.checks.contract import Step
from workers.core.contract import FaultCode

ROOT = Path(__file__).parents[1]
ROOMS = ("cli", "client", "local")
RULES = (
    ROOT / "engines" / "game.py",
    ROOT / "engines" / "openings.py",
    ROOT / "arena" / "core" / "sayings.py",
    *(ROOT / "engines" / "games").glob("*.py"),
    *(ROOT / "engines" / "solvers").glob("*.py"),
)
"""What refuses a game, its parameters, moves, positions and openings, or to solve it, by messages with names
for their values; and what workers say of a bot."""
REFUSALS = {
    *("UnknownGameError", "ParameterError", "UnreadableMoveError", "UnreadableStateError"),
    *("IllegalMoveError", "OpeningsError", "SolverError", "BoundsError", "ProofError", "Saying"),
}
AGAIN = "error.message"
"""How one says what another has said."""
NAMED = re.compile(r"%\((\w+)\)[a-z]")
CATALOGUES = ROOT / "arena" / "core" / "locale"
TYPER = (
    "(dynamic)",
    "Show this message and exit.",
    "default: {default}",
    "env var: {var}",
    "required",
)
"""What Typer's help is made of besides ours; its errors are in `arena.cli.shared.usage`."""
TITLES = {"columns", "COLUMNS", "MADE", "TOTALS", "titles"}
"""What the titles of tables are called where they do not stand in the call of `print_table`."""
WORDS = (
    *ArenaPhase,
    *ChildPhase,
    *(step.replace("_", " ") for step in Step),
    *(name.replace("_", " ") for name in TIE_BREAKS if name not in SHORT),
    *get_args(ScoreSense),
    *FaultCode,
)
"""What is said of an arena, its processes, a check, a table's order, a game and a fault, by names in data."""
NOT_SAID = (terms.ExportFormat, terms.ExperimentFormat, terms.HistoryKind)
"""Words that are typed, and are the same in every language."""


def said() -> Catalog:
    """Every message, with where it is said."""
    catalog = Catalog()
    for where, line, message in (*_everything(), *_refusals()):
        if message is not None:
            catalog.add(message, None, [(where, line)])
    return catalog


def _everything() -> Iterator[tuple[str, int, str | tuple[str, str]]]:
    for path in sorted(file for room in ROOMS for file in (ROOT / "arena" / room).rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        for line, message in _in_code(ast.parse(path.read_text(encoding="utf-8"))):
            yield where, line, message
    for name, command in commands():
        for text in _helps(command):
            yield f"arena {name}".rstrip(), 1, text
    for kind in (*vars(terms).values(), FormatName):
        if isinstance(kind, type) and issubclass(kind, StrEnum) and kind not in (StrEnum, *NOT_SAID):
            for member in kind:
                yield kind.__name__, 1, member.value
    for text in (*TYPER, *WORDS):
        yield "in lists", 1, text


def _in_code(tree: ast.AST) -> Iterator[tuple[int, str | tuple[str, str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
            if node.func.id in {"say", "N_"} and texts:
                yield node.lineno, texts[0]
            elif node.func.id == "say_many":
                yield node.lineno, (texts[0], texts[1])
            elif node.func.id == "print_table":
                yield from _titles(node.args[0])
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in TITLES:
            yield from _titles(node.value)


def _refusals() -> Iterator[tuple[str, int, str | None]]:
    """File and line of each refusal, and its message, None where it is no constant.

    Where one says what another has said, that is not looked at.
    """
    for path in sorted(RULES):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            if node.func.id in REFUSALS:
                texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                message = next((text for text in texts if isinstance(text, str)), None)
                if message is not None or ast.unparse(node.args[-1]) != AGAIN:
                    yield path.relative_to(ROOT).as_posix(), node.lineno, message


def _titles(node: ast.AST) -> Iterator[tuple[int, str]]:
    for each in ast.walk(node):
        title = each.value if isinstance(each, ast.Constant) else None
        if isinstance(title, str) and title.strip(">") and "{" not in title:
            yield node.lineno, title.removeprefix(">")


def _helps(command: Any) -> Iterator[str]:
    yield from paragraphs(command.help)
    yield from (each.help for each in command.params if each.help)


def faults(catalogues: Path = CATALOGUES) -> Iterator[str]:
    """What is wrong with the catalogues, a line a message."""
    wanted = said()
    for where, line, message in _refusals():
        if message is None:
            yield f"{where}:{line} refuses with a text that cannot be translated; name its values"
    for path in sorted(catalogues.glob("*/LC_MESSAGES/arena.po")):
        with path.open("rb") as file:
            catalog = read_po(file, locale=path.parts[-3], abort_invalid=True)
        yield from (f"{path.parts[-3]}, command line: {fault}" for fault in _faults(wanted, catalog))


def _faults(wanted: Catalog, catalog: Catalog) -> Iterator[str]:
    for message in filter(_is_message, wanted):
        where = ", ".join(f"{file}:{line}" for file, line in message.locations)
        translation = catalog.get(message.id)
        if translation is None:
            yield f"{message.id!r} ({where}) is missing"
        else:
            yield from (f"{message.id!r} ({where}) {fault}" for fault in _message_faults(translation))
    for message in filter(_is_message, catalog):
        if wanted.get(message.id) is None:
            yield f"{message.id!r} is said nowhere"


def _is_message(message: Message) -> bool:
    """Whether that is one, and not the header."""
    return bool(message.id)


def _message_faults(message: Message) -> Iterator[str]:
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    texts = message.string if isinstance(message.string, tuple) else (message.string,)
    if message.fuzzy:
        yield "is fuzzy"
    if not all(text and text.strip() for text in texts):
        yield "is not translated"
    elif any(_braces(text) != _braces(ids[-1]) for text in texts):
        yield f"fills other braces than {sorted(_braces(ids[-1]))}"


def _braces(text: str) -> set[str]:
    try:
        named = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        return named.union(NAMED.findall(text))
    except ValueError:
        return {"what cannot be read"}
