"""The whole tree of commands, for what is made of all of them: manual pages, and checks of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import typer

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


def context_of(tree: Mapping[str, Any], name: str) -> typer.Context:
    """What a command of that tree is called in, for its help."""
    root, words = tree[""], name.split()
    ctx = typer.Context(root, info_name="arena", **root.context_settings)
    for number, word in enumerate(words, start=1):
        ctx = typer.Context(tree[" ".join(words[:number])], info_name=word, parent=ctx)
    return ctx
