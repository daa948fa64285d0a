"""The overview that opens docs/cli.md lists the commands that there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from arena.cli.tree import commands

TEXT = Path(__file__).parents[4] / "docs" / "cli.md"


def _listed() -> Iterator[str]:
    """Every command of the overview by its name; a line that begins no group goes on with the one before."""
    groups = {name for name, command in commands() if getattr(command, "commands", None)}
    group = ""
    for line in TEXT.read_text().split("\n\n")[1].splitlines():
        words, *_ = line.strip().split("   ")
        if words.startswith("arena "):
            words = words.removeprefix("arena ")
            first, _, rest = words.partition(" ")
            group, words = (first, rest) if first in groups else ("", words)
        for word in words.removesuffix(" …").split(" | "):
            yield f"{group} {word}".strip()


def test_the_overview_has_every_command_where_it_is() -> None:
    """One that is added, moved or removed is so there too."""
    named = defaultdict[int, set[str]](set)
    for name, command in commands():
        if name and not (" " not in name and getattr(command, "commands", None)):
            named[name.count(" ")].add(name)
    listed = list(_listed())
    assert len(listed) == len(set(listed))
    assert set(listed) == named[0] | named[1]
