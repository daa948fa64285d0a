"""The whole tree of commands, for what is made of all of them: manual pages, and checks of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.cli.app import GROUPS, build


def commands() -> Iterator[tuple[str, Any]]:
    """Every group and every command with its name, which is empty for `arena` itself."""
    root: Any = build([])
    yield "", root
    for name, command in root.commands.items():
        whole: Any = build([name]).commands[name] if name in GROUPS else command
        yield from _below(name, whole)


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for word, each in getattr(command, "commands", {}).items():
        yield from _below(f"{name} {word}", each)
