"""Random stories of tournaments: who is late, who leaves, what is lost, void, replayed or decided by hand.

A story is told by its seed alone; the order in which results arrive is another seed's.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from arena.coordinator.messages import Message
from arena.core.errors import ConflictError
from arena.core.terms import MatchState, TournamentState
from arena.store import tournaments as store
from arena.store.models import Match, Tournament
from arena.theory.pairing.contract import Meeting
from arena.tournaments import amendments, audit, history, lifecycle, rounds
from arena.tournaments.decisions import HALF_POINTS
from tests.integration.arena.late import late
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import World, play
from workers.core.contract import Seat

GAME: dict[str, Any] = {"game": "heap_nim", "params": {"heaps": [3, 4, 5]}, "opening_plies": 1}
PLANS: dict[str, dict[str, Any]] = {
    "round_robin": {"options": {"cycles": 1}},
    "double_round_robin": {},
    "swiss_dutch": {"options": {"rounds": 3}},
    "swiss": {"options": {"rounds": 3}, "openings": 1},
    "knockout": {"options": {"best_of": 2, "third_place": True}},
    "groups": {"options": {"groups": 2, "qualifiers": 2}},
    "gauntlet": {"heroes": ["cup-bot2", "cup-bot3"]},
    "ladder": {"options": {"newcomer_games": 2}},
}
LADDER_ROUNDS = 6
T = TypeVar("T")
SEATS: tuple[Seat, Seat] = (0, 1)
WINDOW = 4
AMENDMENTS = 5
LONGEST = 400


@dataclass
class Story:
    """A tournament of some format as it is lived through in a world."""

    world: World
    format: str
    seed: int
    arrival: int
    game: dict[str, Any] = field(default_factory=lambda: GAME)
    plan: dict[str, Any] = field(default_factory=dict)
    reports: int | None = None
    """After how many of them the story breaks off, if not at the end."""
    look: Callable[[Story], None] | None = None
    """Looks at the story after each of them."""
    reported: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)

    def tell(self) -> None:
        """Play it from the first round to the end, or until so many `reports` are in."""
        self._random, self._order = Random(self.seed), Random(self.arrival)
        bots = self._random.randint(4, 6)
        plan = {"format": self.format, "seed": self.seed, **self.game, **(self.plan or PLANS[self.format])}
        self.world.tournament(bots=bots, **plan)
        for _ in range(LONGEST):
            self._advance()
            self._play()
            if self.reports == 0:
                return
            if self._reading(_goes_on_too_long):
                self._end()
            elif not self._amended() and self._reading(lambda _, cup: cup.state == TournamentState.FINISHED):
                return

    def _advance(self) -> None:
        """A look of the coordinator, and one of another that saw the same and comes too late."""
        with self.world.database.reading() as session:
            cup = self.world.get(session)
            late = rounds.ask(session, cup) if rounds.due(session, cup) else None
        coordinator_of(self.world, window=WINDOW).tick()
        if late is not None:
            before = self.told()
            with self.world.database.transaction() as session:
                lifecycle.advance(session, rounds.answer(late))
            assert self.told() == before

    def _play(self) -> None:
        """Report what was published, in any order, some of it twice; some attempts are lost."""
        messages = self.world.broker.queue[:]
        self.world.broker.queue.clear()
        reports = messages + [message for message in messages if self._order.random() < 0.3]
        self._order.shuffle(reports)
        for message in reports[: self.reports]:
            self._report(message)
            self.reported += 1
            if self.look:
                self.look(self)
        if self.reports is not None:
            self.reports -= min(self.reports, len(reports))

    def _report(self, message: Message) -> None:
        fate = Random(f"{self.seed} {message.spec.match} {message.attempt}")
        chance = fate.random()
        if chance < 0.1:
            self.world.lose(message)
        elif chance < 0.2:
            self.world.record(message, late(message.spec))
        else:
            forfeits = [seat for seat in SEATS if fate.random() < 0.1]
            self.world.record(message, play(message.spec, seed=message.attempt, forfeits=forfeits))

    def _end(self) -> None:
        with self.world.database.transaction() as session:
            lifecycle.end(session, self.world.staff, self.world.get(session))

    def _amended(self) -> bool:
        """Now and then somebody changes something, also when all is over; whether that was so."""
        if sum(self.done.values()) >= AMENDMENTS or self._random.random() > 0.4:
            return False
        name = self._random.choice(sorted(AMENDING))
        try:
            with self.world.database.transaction() as session:
                AMENDING[name](self, session, self.world.get(session))
        except ConflictError:
            self.refused[name] += 1
        else:
            self.done[name] += 1
        return True

    def withdraw(self, session: Session, cup: Tournament) -> None:
        """Somebody leaves."""
        bot = self._random.choice(store.entries(session, cup)).version.bot
        amendments.withdraw(session, self.world.staff, cup, bot, "has had enough")

    def disqualify(self, session: Session, cup: Tournament) -> None:
        """Somebody is expelled, with or without the games."""
        bot = self._random.choice(store.entries(session, cup)).version.bot
        annul = self._random.random() < 0.5
        amendments.disqualify(session, self.world.staff, cup, bot, "cheated", annul=annul)

    def enter_late(self, session: Session, cup: Tournament) -> None:
        """Somebody comes late."""
        late = self.world.bot(session, f"late{len(store.entries(session, cup))}")
        lifecycle.enter(session, self.world.staff, cup, late)

    def enter_again(self, session: Session, cup: Tournament) -> None:
        """Somebody comes with another version."""
        bot = self._random.choice(store.entries(session, cup)).version.bot
        self.world.version(session, bot)
        lifecycle.enter(session, self.world.staff, cup, bot)

    def rerun(self, session: Session, cup: Tournament) -> None:
        """A match is played again."""
        amendments.rerun(session, self.world.staff, self._match(session, cup), "the host was on fire")

    def rerun_round(self, session: Session, cup: Tournament) -> None:
        """A round is played again."""
        number = self._random.randint(1, cup.rounds_paired)
        amendments.rerun_round(session, self.world.staff, cup, number, "so was its neighbour")

    def set_result(self, session: Session, cup: Tournament) -> None:
        """The staff decides a match."""
        winner = self._random.choice(list(HALF_POINTS))
        amendments.set_result(session, self.world.staff, self._match(session, cup), winner, "decided")

    def _match(self, session: Session, cup: Tournament) -> Match:
        found = session.query(Match).where(Match.tournament_id == cup.id).order_by(Match.number)
        return self._random.choice(found.all())

    def told(self) -> str:
        """Everything that anybody could be shown of it, but for the moments at which it happened."""
        return self._reading(self._told)

    def _told(self, session: Session, cup: Tournament) -> str:
        table = [line._asdict() for line in self.world.leaderboard()]
        matches = [
            (m.number, m.round, m.phase, m.state, m.first_id, m.second_id) for m in self.world.matches()
        ]
        kept = audit.stored(session, cup)
        pairs = sorted((pair, dict(counts)) for pair, counts in kept.pairs.items())
        entries = sorted((number, asdict(total)) for number, total in kept.entries.items())
        return json.dumps([cup.state, cup.rounds_paired, table, matches, self.meetings(), pairs, entries])

    def meetings(self) -> list[Meeting]:
        """What came of every pairing."""
        return self._reading(lambda session, cup: list(history.meetings(session, cup)))

    def verify(self) -> list[str]:
        """What the totals and the log of events do not agree about."""
        return self._reading(audit.verify)

    def games(self) -> Counter[tuple[int, int]]:
        """How many games of each two ended, by their numbers."""
        ended = [match for match in self.world.matches() if match.state == MatchState.FINISHED]
        return Counter((min(pair), max(pair)) for pair in ((m.first.number, m.second.number) for m in ended))

    def _reading(self, look: Callable[[Session, Tournament], T]) -> T:
        with self.world.database.reading() as session:
            return look(session, self.world.get(session))


def _goes_on_too_long(_: Session, cup: Tournament) -> bool:
    return cup.format == "ladder" and cup.rounds_paired >= LADDER_ROUNDS and not cup.all_paired


AMENDING: dict[str, Callable[[Story, Session, Tournament], None]] = {
    "withdraw": Story.withdraw,
    "disqualify": Story.disqualify,
    "enter_late": Story.enter_late,
    "enter_again": Story.enter_again,
    "rerun": Story.rerun,
    "rerun_round": Story.rerun_round,
    "set_result": Story.set_result,
}
