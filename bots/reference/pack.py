"""Reference bots as archives, fit to be submitted: they run on a bare interpreter, without this project.

There nothing can be solved, so players of solved games bring the tables of the usual ones along. A bot in C
is packed as its sources, to be compiled where it plays.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from bots.reference import REFERENCE, ReferenceBot, find_reference
from bots.reference.ready import BEST_RESPONSE, FROM_TABLES, PERFECT, make_ready
from bots.reference.sources import sources
from engines.games import GAMES, find_game, find_row
from engines.installed import GROUP, entry_point
from engines.plugin import PLAYERS
from engines.solvers import best_response, find_solver
from engines.solvers.tables import file_name, tables_dir
from engines.strategies.learner import find as find_learner

ROOT = Path(__file__).parents[2]
PACKAGES = ("bots", "engines")
COMPILED = "engines.kernels"
"""Not packed: it is of no use where Numba is not."""

_PARSING = Lock()
"""Python 3.11 counts the depth of what it parses for all threads together, and fails where two do."""

SOLVED: tuple[tuple[str, Mapping[str, Any]], ...] = tuple(
    (row.name, params) for row in GAMES.values() if row.solver for params in row.solver.packed
)
"""The games whose tables are packed, with the parameters that differ from the usual ones."""

SOLVERS = tuple(row.solver.module for row in GAMES.values() if row.solver)
NUMBERINGS = tuple(
    row.solver.number.partition(":")[0] for row in GAMES.values() if row.solver and row.solver.number
)

PERSON, LEARNER = "person", "learner"

EPOCH = (1980, 1, 1, 0, 0, 0)
DATA = ".bin"
"""The ending of a package's own data, which is packed with it."""

SDK = "bots.sdk.arena_bot"
TABLES = "tables"
BESIDE = f', str(Path(__file__).parent / "{TABLES}")'
MAIN = '''"""{name}: {description}."""

from pathlib import Path

from {module} import Bot
from {sdk} import run

run(Bot({arguments}))
'''


def archive(text: str) -> bytes:
    """A zip with `main.py`, `bot.toml` where it plays some games only, and every module that the bot needs.

    That of a bot in C has `main.c`, what this includes and the weights, and plays at the level of `text`. It
    is always the same bytes for the same sources.

    `text` is a bot's name, with parameters if it takes any.

    Raises:
        UnknownBotError: there is no such bot.
        OSError: it plays from tables, and there is no folder for them.
    """
    bot = find_reference(text)
    files = sources(bot.module, bot.level(text)) if bot.levels else _in_python(text, bot)
    if bot.games:
        files["bot.toml"] = f"games = {json.dumps(bot.games)}\n".encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, EPOCH)
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            packed.writestr(info, files[path])
    return buffer.getvalue()


def brings_tables(text: str) -> bool:
    """Whether the archive of that bot has tables in it, which can take long to be made at first."""
    return find_reference(text).name in FROM_TABLES


def _in_python(text: str, bot: ReferenceBot) -> dict[str, bytes]:
    """The files of a bot that Python runs, by path in the zip."""
    modules, arguments = [bot.module, SDK], ""
    files = {}
    if bot.name not in REFERENCE and bot.games:
        files = _installed(bot.games[0])
        for path, source in files.items():
            modules += _imports(source) if path.endswith(".py") else ()
    if bot.is_strategy:
        modules += [row.players[bot.name].module for row in GAMES.values() if bot.name in row.players]
        modules += [PLAYERS[bot.name].module] if bot.name in PLAYERS else []
        arguments = repr(text)
    if bot.name in {PERFECT, BEST_RESPONSE}:
        modules += SOLVERS + NUMBERINGS
        arguments += BESIDE
        files = _tables(bot.name)
    elif bot.name == PERSON:
        modules += SOLVERS
        arguments += BESIDE
        files = _tables(PERFECT)  # it looks the same values up
    elif bot.name == LEARNER:
        arguments += BESIDE
        files = _learned(text)
    main = MAIN.format(
        name=text, description=bot.description, module=bot.module, sdk=SDK, arguments=arguments
    )
    files["main.py"] = main.encode()
    return files | _sources(modules)


def _installed(game: str) -> dict[str, bytes]:
    """The packages of an installed game, and the entry point that it is found by, by path in the zip."""
    row, point = find_row(game), entry_point(game)
    named = [row.rules.__module__, point.module, row.presentation or ""]
    named += [player.module for player in (*row.players.values(), *row.bots.values())]
    files: dict[str, bytes] = {}
    for package in {module.partition(".")[0] for module in named} - {*PACKAGES, ""}:
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            files |= _files(Path(spec.origin), is_package=spec.submodule_search_locations is not None)
    info = f"{game}-{row.rules.version}.dist-info"
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {game}\nVersion: {row.rules.version}\n".encode()
    )
    files[f"{info}/entry_points.txt"] = f"[{GROUP}]\n{game} = {point.value}\n".encode()
    return files


def _files(origin: Path, *, is_package: bool) -> dict[str, bytes]:
    """A module's file, or all that lies in its package, by path in the zip."""
    if not is_package:
        return {origin.name: origin.read_bytes()}
    return {
        path.relative_to(origin.parents[1]).as_posix(): path.read_bytes()
        for path in sorted(origin.parent.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _learned(text: str) -> dict[str, bytes]:
    """What that learner knows, by path in the zip; it trains now if it has not yet."""
    folder = tables_dir()
    if folder is None:
        raise FileNotFoundError(f"the table of {text} needs a folder that can be written to")
    (name,) = find_reference(text).games or ()
    game = find_game(name)
    file = file_name(game, find_learner(game, *text.split(":")[1:]).content)
    return {f"{TABLES}/{file}": (folder / file).read_bytes()}


def _tables(name: str) -> dict[str, bytes]:
    """That player's tables, built where they are not on disk yet, by path in the zip."""
    folder = tables_dir()
    if folder is None:
        raise FileNotFoundError(f"the tables of {name} need a folder that can be written to")
    files = {}
    for solved, params in SOLVED:
        solver = GAMES[solved].solver
        if solver is None or (name == BEST_RESPONSE and params in solver.without_response):
            continue
        game = find_game(solved, params)
        make_ready(name, game)
        contents = [find_solver(solved).CONTENT] if name == PERFECT or solver.numbered_by_table else []
        contents += [best_response.CONTENT] if name == BEST_RESPONSE else []
        for content in contents:
            file = file_name(game, content)
            files[f"{TABLES}/{file}"] = (folder / file).read_bytes()
    return files


def _sources(modules: list[str]) -> dict[str, bytes]:
    """The files of `modules`, of the packages around them and of all that they import, by path in the zip.

    A package's data goes with it.
    """
    files: dict[str, bytes] = {}
    waiting, seen = list(modules), set(modules)
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if path is None or name.startswith(COMPILED):
            continue
        source = (ROOT / path).read_bytes()
        files[path] = source
        files |= _data(path)
        fresh = {*_parents(name), *_imports(source)} - seen
        seen |= fresh
        waiting.extend(fresh)
    return files


def _data(path: str) -> dict[str, bytes]:
    """What a package has beside its modules, by path in the zip; nothing for a module."""
    if not path.endswith("__init__.py"):
        return {}
    beside = (ROOT / path).parent.glob(f"*{DATA}")
    return {str(file.relative_to(ROOT)): file.read_bytes() for file in beside}


def _path(module: str) -> str | None:
    """Where the module's file lies below the root, or None if the name is not a module's."""
    base = module.replace(".", "/")
    return next((path for path in (f"{base}.py", f"{base}/__init__.py") if (ROOT / path).is_file()), None)


def _parents(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


@cache
def _imports(source: bytes) -> frozenset[str]:
    """The names of this project's modules (or of things in them) that `source` imports."""
    with _PARSING:
        return frozenset(_imported(ast.parse(source)))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] in PACKAGES)
