"""Distributions that bring games, put on the path for one test as if they were installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from engines.installed import GROUP, installed

CONNECT_FOUR = Path(__file__).parents[1] / "docs" / "examples" / "connect-four"
ITS_POINT = {"connect_four": "bot_arena_connect_four:CONNECT_FOUR"}


def describe(folder: Path, name: str, points: Mapping[str, str]) -> None:
    """Write in `folder` what an installer writes about a distribution with these entry points."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"[{GROUP}]", *(f"{point} = {value}" for point, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


@contextmanager
def importable(*folders: Path) -> Iterator[None]:
    """What lies in `folders` can be imported, and is looked through for games; then it is forgotten."""
    before = set(sys.modules)
    sys.path[:0] = [str(folder) for folder in folders]
    installed.cache_clear()
    try:
        yield
    finally:
        del sys.path[: len(folders)]
        installed.cache_clear()
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None) or ""
            if any(origin.startswith(str(folder)) for folder in folders):
                del sys.modules[name]


@contextmanager
def connect_four(folder: Path) -> Iterator[None]:
    """The example distribution is installed; `folder` is empty."""
    describe(folder, "bot-arena-connect-four", ITS_POINT)
    with importable(folder, CONNECT_FOUR):
        yield
