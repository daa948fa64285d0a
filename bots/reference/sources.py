"""What a reference bot in C is made of: its sources, the headers that they include, and its data."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import engines

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
ENTRY = "main.c"
DATA = (".weights", ".book")
"""The endings of what lies beside the program."""
LEVEL = "DEFAULT_LEVEL"
"""The macro with the level that a program plays at which is told none."""


def sources(package: str, level: int | None = None) -> dict[str, bytes]:
    """The files of the bot whose sources lie in `package`, by name, to be compiled in one folder.

    A header that is included as `"NAME"` lies in the package, or in `engines`. With `level` a program that is
    told none plays at that.

    Raises:
        FileNotFoundError: the package has no `main.c`, or a header is not there.
    """
    folder = _folder(package)
    files: dict[str, bytes] = {}
    waiting = {path.name: package for path in folder.glob("*.c")}
    if ENTRY not in waiting:
        raise FileNotFoundError(f"{folder} has no {ENTRY}")
    while waiting:
        name, by = waiting.popitem()
        files[name] = _read(name, by, (folder, Path(engines.__path__[0])))
        included = (each.decode() for each in INCLUDE.findall(files[name]))
        waiting |= {each: name for each in included if each not in files}
    if level is not None:
        files[ENTRY] = f"#define {LEVEL} {level}\n".encode() + files[ENTRY]
    return files | {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in DATA}


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise FileNotFoundError(f"there is no package {package}")
    return Path(next(iter(spec.submodule_search_locations)))


def _read(name: str, by: str, places: tuple[Path, ...]) -> bytes:
    for place in places:
        if (place / name).is_file():
            return (place / name).read_bytes()
    raise FileNotFoundError(f"{by} includes {name}, which is in none of {', '.join(map(str, places))}")
