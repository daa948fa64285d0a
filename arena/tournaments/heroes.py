"""The heroes of a gauntlet: known by their bots' names before the start, then by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.errors import ConflictError
from arena.core.terms import HERO_NAMES
from arena.store.models import Entry, Tournament


def as_option(names: Sequence[str]) -> dict[str, Any]:
    """How the names are kept among the options of a tournament."""
    return {HERO_NAMES: list(names)} if names else {}


def names_of(tournament: Tournament) -> list[str]:
    """The names, of a gauntlet that has not begun."""
    return list(tournament.options.get(HERO_NAMES, ()))


def options_of(tournament: Tournament) -> dict[str, Any]:
    """The options of the tournament's format, without the names."""
    return {name: value for name, value in tournament.options.items() if name != HERO_NAMES}


def number(tournament: Tournament, entered: Sequence[Entry]) -> None:
    """From the start on, the heroes are known by their numbers.

    Raises:
        ConflictError: one of them is not entered.
    """
    names = names_of(tournament)
    if not names:
        return
    numbers = {entry.version.bot.name: entry.number for entry in entered}
    if missing := [name for name in names if name not in numbers]:
        raise ConflictError(
            "the heroes %(missing)s are not entered in %(tournament)r; enter them first",
            missing=", ".join(missing),
            tournament=tournament.name,
        )
    tournament.options = options_of(tournament) | {"heroes": [numbers[name] for name in dict.fromkeys(names)]}
