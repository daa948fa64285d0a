"""The warning that deterministic bots would play, or do play, the same game again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.planning.replays import Offer, Played, identical, may_repeat, offer, repeated
from arena.store import replays as store
from arena.store.models import BotVersion, Tournament
from arena.theory.pairing.format import Format
from engines.game import Game

MAX_TOLD = 20


@dataclass(frozen=True)
class ReplayWarning:
    """Why games are, or would be, the same again, and what helps.

    `times` is how often at most the same two bots play from the same position with the same seats. `matches`
    are numbers of recorded matches of the tournament that were the same move by move, and `bots` those that
    played them, or others like them elsewhere. `offer` is what makes all games different.
    """

    times: int
    matches: tuple[tuple[int, ...], ...] = ()
    bots: tuple[str, ...] = ()
    offer: Offer | None = None


class Setting(NamedTuple):
    """With how many openings so many bots play which game."""

    openings: int
    bots: int
    game: Game[Any]


def replay_warning(
    session: Session,
    make: Callable[[int], Format],
    setting: Setting,
    versions: Sequence[BotVersion],
    tournament: Tournament | None = None,
) -> ReplayWarning | None:
    """The warning, where there is something to warn of; `make` gives the format with so many openings.

    Raises:
        FormatError: the format cannot be played by so many.
    """
    openings, count, game = setting
    fmt = make(openings)
    if not may_repeat(fmt, count):
        return None
    times = repeated(fmt, count)
    games = store.repetitions(session, game.name, game.params, {version.id for version in versions})
    own = [each for each in games if tournament is not None and each.tournament_id == tournament.id]
    seen = identical(Played(each.number, _same(each), each.moves) for each in own)
    elsewhere = identical(Played(place, _same(each), each.moves) for place, each in enumerate(games))
    if times == 1 and not seen.identical:
        return None
    played = {place for group in elsewhere.identical for place in group}
    ids = {bot for place in played for bot in (games[place].first, games[place].second)}
    return ReplayWarning(
        times=times,
        matches=seen.identical[:MAX_TOLD],
        bots=tuple(sorted(version.bot.name for version in versions if version.id in ids)),
        offer=offer(make, count),
    )


def _same(each: store.Repetition) -> tuple[int, int, tuple[str, ...]]:
    return each.first, each.second, each.opening
