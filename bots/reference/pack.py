"""Reference bots as archives, fit to be submitted: they run on a bare interpreter, without this project."""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bots.reference import find_reference

ROOT = Path(__file__).parents[2]
PACKAGES = ("bots", "engines")
EPOCH = (1980, 1, 1, 0, 0, 0)
SDK = "bots.sdk.arena_bot"
MAIN = '''"""{name}: {description}."""

from {module} import Bot
from {sdk} import run

run(Bot())
'''


def archive(name: str) -> bytes:
    """A zip with `main.py` and every module that the bot needs; always the same bytes for the same sources.

    Raises:
        UnknownBotError: there is no such bot.
    """
    bot = find_reference(name)
    main = MAIN.format(name=bot.name, description=bot.description, module=bot.module, sdk=SDK)
    files = {"main.py": main.encode(), **_sources([bot.module, SDK])}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(files):
            info = zipfile.ZipInfo(path, EPOCH)
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            packed.writestr(info, files[path])
    return buffer.getvalue()


def _sources(modules: list[str]) -> dict[str, bytes]:
    """The files of `modules`, of the packages around them and of all that they import, by path in the zip."""
    files: dict[str, bytes] = {}
    waiting, seen = list(modules), set(modules)
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if path is None:
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
