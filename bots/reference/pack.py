"""Reference bots as archives, fit to be submitted: they run on a bare interpreter, without this project.

There nothing can be solved, so the perfect player brings the tables of the usual games along.
"""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bots.reference import find_reference
from bots.reference.ready import PERFECT, make_ready
from engines.games import find_game
from engines.solvers import SOLVERS, find_solver
from engines.solvers.tables import file_name, tables_dir
from engines.strategies import STRATEGIES

ROOT = Path(__file__).parents[2]
PACKAGES = ("bots", "engines")
COMPILED = "engines.kernels"
"""Not packed: it is of no use where Numba is not."""

SOLVED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("circle_nim", {"rows": rows}) for rows in range(2, 7)),
    *(("heap_nim", {"misere": misere}) for misere in (False, True)),
    ("l_game", {}),
    *(("reversed_reversi", {"size": 4, "reversed": reverse}) for reverse in (True, False)),
    ("rhombic_chess", {}),
)
"""The games whose tables are packed, with the parameters that differ from the usual ones."""

EPOCH = (1980, 1, 1, 0, 0, 0)
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
    """A zip with `main.py` and every module that the bot needs; always the same bytes for the same sources.

    `text` is a bot's name, with parameters if it takes any.

    Raises:
        UnknownBotError: there is no such bot.
        OSError: it plays perfectly, and there is no folder for its tables.
    """
    bot = find_reference(text)
    modules, arguments = [bot.module, SDK], ""
    files = {}
    if bot.is_strategy:
        modules.append(STRATEGIES[bot.name].module)
        arguments = repr(text)
    if bot.name == PERFECT:
        modules += SOLVERS.values()
        arguments += BESIDE
        files = _tables()
    main = MAIN.format(
        name=text, description=bot.description, module=bot.module, sdk=SDK, arguments=arguments
    )
    files["main.py"] = main.encode()
    files |= _sources(modules)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, EPOCH)
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            packed.writestr(info, files[path])
    return buffer.getvalue()


def _tables() -> dict[str, bytes]:
    """The perfect player's tables, built where they are not on disk yet, by path in the zip."""
    folder = tables_dir()
    if folder is None:
        raise FileNotFoundError("the perfect player's tables need a folder that can be written to")
    files = {}
    for name, params in SOLVED:
        game = find_game(name, params)
        make_ready(PERFECT, game)
        file = file_name(game, find_solver(name).CONTENT)
        files[f"{TABLES}/{file}"] = (folder / file).read_bytes()
    return files


def _sources(modules: list[str]) -> dict[str, bytes]:
    """The files of `modules`, of the packages around them and of all that they import, by path in the zip."""
    files: dict[str, bytes] = {}
    waiting, seen = list(modules), set(modules)
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if path is None or name.startswith(COMPILED):
            continue
        source = (ROOT / path).read_bytes()
        files[path] = source
        found = {*_parents(name), *_imports(source)} - seen
        seen |= found
        waiting.extend(found)
    return files


def _path(module: str) -> str | None:
    """Where the module's file lies below the root, or None if the name is not a module's."""
    base = module.replace(".", "/")
    return next((path for path in (f"{base}.py", f"{base}/__init__.py") if (ROOT / path).is_file()), None)


def _parents(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _imports(source: bytes) -> Iterator[str]:
    """The names of this project's modules (or of things in them) that `source` imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] in PACKAGES)
