"""Brackets as trees, and the tables of groups: what formats with stages show beside the leaderboard."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.schemas.plans import BRACKETS
from arena.store.models import Tournament
from arena.theory.pairing.bracket import THIRD_PLACE, TIE_BREAK, Decided, stage_name
from arena.theory.pairing.contract import Meeting
from arena.theory.pairing.groups import Groups
from arena.tournaments import history, lifecycle
from arena.tournaments.rounds import format_of


class Side(NamedTuple):
    """One side of a tie: the entry's number, None where it is open, and what it made, in half points."""

    number: int | None
    half_points: int
    won: bool


class Tied(NamedTuple):
    """A place of the tree: both sides, whether games were counted, and in how many tie-breaks.

    `passed` says that its first side goes on without a game, as there is nobody to play against.
    """

    sides: tuple[Side, Side]
    games: int
    again: int
    passed: bool


class Stage(NamedTuple):
    """A stage by its name, with its ties from the top of the tree to the bottom."""

    phase: str
    ties: tuple[Tied, ...]


class Bracket(NamedTuple):
    """The stages of a tree, each with half as many ties as the last, and the tie for the third place."""

    stages: tuple[Stage, ...]
    third: Tied | None


class GroupLine(NamedTuple):
    """What an entry made in its group, by the pairings that are complete."""

    number: int
    games: int
    half_points: int


class Staged(NamedTuple):
    """What a tournament with stages shows: groups by their letters, each best first, and the bracket."""

    groups: dict[str, tuple[GroupLine, ...]]
    bracket: Bracket | None


NOTHING = Staged({}, None)
_OPEN = Tied((Side(None, 0, won=False),) * 2, 0, 0, passed=False)


def staged(session: Session, tournament: Tournament) -> Staged:
    """The groups and the bracket of a tournament; nothing where its format has none, or it has not begun."""
    if tournament.format not in BRACKETS or tournament.started_at is None:
        return NOTHING
    entrants = history.entrants(session, tournament)
    meetings = list(history.meetings(session, tournament, begun=True))
    complete = list(history.meetings(session, tournament))
    fmt = format_of(tournament)
    tree = fmt.tree(entrants, complete, tournament.seed)
    groups: dict[str, tuple[GroupLine, ...]] = {}
    if isinstance(fmt, Groups):
        tables = fmt.group_tables(entrants, complete, tournament.seed)
        groups = {letter: _lines(complete, letter, order) for letter, order in tables.items()}
    return Staged(groups, _bracket(tree, meetings) if tree else None)


def names(session: Session, tournament: Tournament) -> dict[int, str]:
    """The bots by their entries' numbers."""
    return {entry.number: entry.version.bot.name for entry in lifecycle.entries(session, tournament)}


def _lines(meetings: Iterable[Meeting], letter: str, order: Sequence[int]) -> tuple[GroupLine, ...]:
    points, games = Counter[int](), Counter[int]()
    for each in meetings:
        if each.phase == letter:
            for number, half_points in zip((each.first, each.second), each.half_points, strict=True):
                if number is not None:
                    points[number] += half_points
                    games[number] += each.games if each.second is not None else 0
    return tuple(GroupLine(number, games[number], points[number]) for number in order)


def _bracket(tree: Sequence[Sequence[Decided]], meetings: Iterable[Meeting]) -> Bracket:
    """The tree with what was made, and open places for those stages of which nobody knows yet."""
    sums: dict[tuple[str, int], int] = defaultdict(int)
    games: dict[tuple[str, int], int] = defaultdict(int)
    again: dict[tuple[str, int], int] = {}
    for each in meetings:
        phase, _, number = each.phase.partition(TIE_BREAK)
        if each.second is not None:
            for entry, made in zip((each.first, each.second), each.half_points, strict=True):
                sums[phase, entry] += made
                games[phase, entry] += each.games
                again[phase, entry] = max(again.get((phase, entry), 0), int(number or 0))

    def tied(one: Decided) -> Tied:
        phase, better, worse = one.tie
        key = phase, better
        sides = tuple(
            Side(
                number, sums[phase, number] if number else 0, won=number is not None and number == one.winner
            )
            for number in (better, worse)
        )
        return Tied((sides[0], sides[1]), games[key], again.get(key, 0), passed=worse is None)

    stages = [_stage(ties, tied) for ties in tree]
    left = len(stages[-1].ties)
    while left > 1:
        left //= 2
        stages.append(Stage(stage_name(2 * left), (_OPEN,) * left))
    thirds = [tied(each) for ties in tree for each in ties if each.tie.phase == THIRD_PLACE]
    return Bracket(tuple(stages), thirds[0] if thirds else None)


def _stage(ties: Sequence[Decided], tied: Callable[[Decided], Tied]) -> Stage:
    main = [each for each in ties if each.tie.phase != THIRD_PLACE]
    return Stage(main[0].tie.phase, tuple(map(tied, main)))
