"""The best bots of a game by all that they have played: one rating over all that the public sees."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from arena.store import freezes
from arena.store import ratings as store

if TYPE_CHECKING:
    from arena.theory.rating.table import RatingRow  # SciPy takes long to read

MAX_RATED = 500
"""Bots that are rated, those with the most games, so that nobody keeps the arena busy for long."""

Totals = list[tuple[int, int, int, int, int]]


@dataclass(frozen=True)
class TopBots:
    """The lines of all rated bots of a game with its parameters, best first, and what they rest on."""

    game: str
    params: Mapping[str, Any]
    tournaments: int
    games: int
    lines: tuple[RatingRow, ...]


def top_bots(session: Session, game: str, params: Mapping[str, Any] | None = None) -> list[TopBots]:
    """The ratings of a game's bots, all versions of one together: with these parameters, or with each.

    The games of every tournament and ladder count that was not cancelled; of a frozen one those before its
    freeze, whoever asks. What most tournaments were of comes first.
    """
    wanted = None if params is None else _written(params)
    open_ = _by_params(store.counted(session, game), wanted)
    with freezes.beside(session) as there:
        kept = _by_params(store.counted(there, game), wanted)
        tops = []
        for written in {**open_, **kept}:
            pairs = store.totals_of_bots(session, open_[written])
            pairs += store.totals_of_bots(there, kept[written])
            count = len(open_[written]) + len(kept[written])
            tops.append(_rated(session, game, written, count, _among_most_played(pairs)))
    return sorted(tops, key=lambda each: -each.tournaments)


def _rated(session: Session, game: str, written: str, tournaments: int, pairs: Totals) -> TopBots:
    from arena.theory.rating.table import Entrant, rate  # noqa: PLC0415 - SciPy takes long to read

    known = store.bots(session, {bot for pair in pairs for bot in pair[:2]})
    rated = rate([Entrant(bot.id, bot.id, bot.name, 0, bot.owner) for bot in known], pairs)
    games = sum(sum(pair[2:]) for pair in pairs)
    return TopBots(game, json.loads(written), tournaments, games, rated.lines)


def _by_params(
    tournaments: Sequence[tuple[int, Mapping[str, Any]]], wanted: str | None
) -> defaultdict[str, list[int]]:
    """Tournaments by what they were of; with `wanted` those alone that were of that."""
    found = defaultdict[str, list[int]](list)
    for tournament, params in tournaments:
        if wanted in {None, _written(params)}:
            found[_written(params)].append(tournament)
    return found


def _written(params: Mapping[str, Any]) -> str:
    """Parameters as a text, the same for the same."""
    return json.dumps(params, sort_keys=True)


def _among_most_played(pairs: Totals) -> Totals:
    """The games of those with the most games against each other; of as many the bots that were first."""
    games: Counter[int] = Counter()
    for one, other, *counts in pairs:
        games[one] += sum(counts)
        games[other] += sum(counts)
    if len(games) <= MAX_RATED:
        return pairs
    most = set(sorted(games, key=lambda bot: (-games[bot], bot))[:MAX_RATED])
    return [pair for pair in pairs if {*pair[:2]} <= most]
