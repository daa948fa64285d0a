"""The table of kinds in docs/events.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from arena.events.visible import PUBLIC
from arena.store.models.event_types import EventKind

PAGE = Path(__file__).parents[4] / "docs" / "events.md"
NAME = re.compile(r"`([a-z_.]+)`")


def _rows() -> Iterator[tuple[list[str], set[str]]]:
    """The kinds of each row, in which a family is told once, and what everybody may see of them."""
    lines = iter(PAGE.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.startswith("| Kinds |"):
            break
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        _, first, second, *_ = line.split("|")
        kinds, family = [], ""
        for name in NAME.findall(first):
            family = name.partition(".")[0] if "." in name else family
            kinds.append(name if "." in name or not family else f"{family}.{name}")
        yield kinds, set(NAME.findall(second))


def test_the_table_has_every_kind_once() -> None:
    """Whoever reads it knows of all events that there are, and of no others."""
    told = [kind for kinds, _ in _rows() for kind in kinds]
    assert sorted(told) == sorted(EventKind)


def test_the_table_says_what_everybody_may_see() -> None:
    """Of each row just what is public of its kinds; nothing of those of which only the staff hears."""
    for kinds, fields in _rows():
        assert fields == {field for kind in kinds for field in PUBLIC.get(EventKind(kind), ())}, kinds
