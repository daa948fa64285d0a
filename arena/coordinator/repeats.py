"""Matches of laboratory PCs that are played again on trusted hosts, as work that is given out.

A match is drawn once its result is recorded, so its host cannot know which. The same moves and the same end
agree. A game that goes another way is played a second time: only where both trusted games are the same, and
not the one that was reported, does the host differ. Bots whose games vary, by the clock or otherwise, decide
nothing. Nothing of it counts in any standing.

Their queues come after those of matches and moves, and at most half of the places of trusted hosts that take
them are given to them.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import RepeatMessage
from arena.coordinator.result_validation import fit_result
from arena.coordinator.sharing import half_room
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, Repeated
from arena.store import repeats as store
from arena.store import worker_keys
from arena.store.models import Match, Repeat
from arena.submissions import environments, hosts
from arena.tournaments.specs import match_spec
from workers.core.contract import FaultCode, MatchResult, MatchSpec
from workers.programs.serving import REPEATS, served_needs

LATE = (FaultCode.TIMEOUT, FaultCode.STARTUP)
"""How a bot forfeits that is late: on another host it may not be."""
MAX_OPEN = 100
"""So many of a host's matches wait to be played again, or are; a sample of that size tells enough."""
LOT = secrets.SystemRandom()
"""What no host can foresee."""
Game = dict[str, Any]
"""What is compared of a game: its moves and its end."""


class Gathered(NamedTuple):
    """Repeats that reports are about, locked, and the hosts whose word counts."""

    held: object
    trusted: Collection[str]


class Repeats(WorkType[Repeat, RepeatMessage, MatchResult]):
    """Given out to trusted hosts, the oldest first."""

    kind = REPEATS
    model = Repeat
    unfit = "the reported result does not fit"

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is one to give out that a trusted host can play, and room for it."""
        if not store.any_pending(session):
            return False
        takers = _takers(session, settings)
        room = half_room(session, settings, Repeat.played_on, takers)
        return room > 0 and store.any_pending(session, _served(takers))

    def due(self, session: Session, settings: Settings) -> Sequence[Repeat]:
        """The oldest."""
        takers = _takers(session, settings)
        room = half_room(session, settings, Repeat.played_on, takers)
        return store.lock_pending(session, _served(takers), room) if room > 0 else []

    def served(self, session: Session, settings: Settings) -> set[str]:
        """The needs that a trusted host can serve which is there now."""
        return {*_served(_takers(session, settings)).needs}

    def issued(self, session: Session, row: Repeat, token: str) -> RepeatMessage:
        """The message has the whole spec of the match."""
        del session
        return RepeatMessage(_spec_of(row), row.attempt, token, row.needs)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> Gathered:
        """The repeats, and whose word counts."""
        del counting
        return Gathered(store.lock_all(session, [number for (number,) in keys]), worker_keys.trusted(session))

    def may(self, row: Repeat, host: str | None, gathered: Gathered) -> bool:
        """A trusted host, and not the one whose match it is."""
        return host in gathered.trusted and host != row.played_on

    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[Repeat | None, Repeat | None]:
        """The repeat of that number, which keeps its own ledger."""
        row = session.get(Repeat, key)
        return row, row

    def needs(self, row: Repeat) -> str:
        """Those of both bots."""
        return row.needs

    def lost(self, session: Session, row: Repeat, trouble: str) -> None:
        """It is to be played again, or is given up."""
        del session
        row.trouble = trouble

    def fit(self, row: Repeat, report: Mapping[str, Any]) -> MatchResult:
        """The result of the match, its moves played again."""
        return fit_result(report, _spec_of(row), row.host)

    def write(self, session: Session, row: Repeat, fit: MatchResult, gathered: Any) -> Verdict:
        """Compare it; where it goes another way than was reported it is played once more."""
        del session, gathered
        game = _game_of(fit)
        outcome = Repeated.UNDECIDED if fit.void else _compared(row.told, row.first, game)
        if outcome is None:
            row.first = game
            row.release(MatchState.PENDING)
            return Verdict.TAKEN
        if outcome in store.TELLING:
            row.differs_at = _same_plies(row.told, game)
        else:
            row.told, row.first = {}, None  # nobody looks at these games any more
        row.finish()
        row.trouble = None
        row.outcome = outcome
        row.recorded_at = utc_now()
        return Verdict.TAKEN


WORK = Repeats()


def _takers(session: Session, settings: Settings) -> dict[str, Collection[str]]:
    """The trusted hosts that are there now and take repeats, with their languages.

    With their environments, too, whatever the names of these mean now.
    """
    trusted, means = worker_keys.trusted(session), environments.meanings(session)
    there = [host for host in hosts.takers(session, settings, REPEATS) if host.name in trusted]
    return {host.name: {*host.languages, *environments.words_of(host.languages, means)} for host in there}


def _served(takers: Mapping[str, Collection[str]]) -> store.Served:
    able = defaultdict[str, list[str]](list)
    for name, languages in takers.items():
        for need in served_needs(languages):
            able[need].append(name)
    return store.Served([*able], [(need, names[0]) for need, names in able.items() if len(names) == 1])


def draw(session: Session, match: Match, result: MatchResult, untrusted: Mapping[str, float]) -> None:
    """Have a match played again elsewhere, by lot, whose result was just recorded.

    Of a host of which `MAX_OPEN` wait no more are drawn: nobody may be there to play them. Nor is a match
    that may have been played with other packages than its environment has by now.
    """
    share = untrusted.get(result.host, 0.0)
    if LOT.random() >= share or store.open_of(session, result.host) >= MAX_OPEN:
        return
    if not environments.is_settled(session, match.needs):
        return
    row = Repeat(match_id=match.id, result_attempt=match.attempt, played_on=result.host)
    row.needs = environments.pinned(session, match.needs)
    row.told, row.created_at, row.state = _game_of(result), utc_now(), MatchState.PENDING
    session.add(row)


def _spec_of(row: Repeat) -> MatchSpec:
    """The match's, played by processes of its own, which no game before has taught anything."""
    return match_spec(row.match).model_copy(update={"match": str(row.id), "reuse": False})


def _game_of(result: MatchResult) -> Game:
    return {
        "moves": [each.move for each in result.moves],
        "winner": result.winner,
        "reason": result.reason,
        "forfeits": sorted([each.seat, each.code.value] for each in result.forfeits),
    }


def _compared(told: Game, first: Game | None, game: Game) -> Repeated | None:
    """What another game says of the one that was told; None where a further one has to say it."""
    if game == told:
        return Repeated.SAME if first is None else Repeated.UNDECIDED
    plies = _same_plies(told, game)
    if _is_late(told) and plies == len(told["moves"]):
        return Repeated.LATE
    if _is_late(game):
        return Repeated.UNDECIDED
    if first is None:
        return None
    return Repeated.DIFFERENT if game == first else Repeated.UNDECIDED


def _is_late(game: Game) -> bool:
    return any(code in LATE for _, code in game["forfeits"])


def _same_plies(told: Game, game: Game) -> int:
    """How many plies are the same from the beginning."""
    pairs = zip(told["moves"], game["moves"], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
