"""The places of teams: where each stands by the best of its bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class TeamPlace(NamedTuple):
    """Where a team stands; `line` is where its best bot is in the table that was given."""

    team: str
    place: int
    line: int


def team_places(lines: Sequence[tuple[str, int]]) -> list[TeamPlace]:
    """The places of the teams of a table, best first.

    Args:
        lines: of each bot its team and its rank, in the order of the table. Who is not to have a place, such
            as a reference bot, is left out beforehand; teams of equal ranks share a place.
    """
    found: list[TeamPlace] = []
    best: dict[str, int] = {}
    for at, (team, rank) in enumerate(lines):
        if team in best:
            continue
        tied = bool(found) and best[found[-1].team] == rank
        found.append(TeamPlace(team, found[-1].place if tied else len(found) + 1, at))
        best[team] = rank
    return found
