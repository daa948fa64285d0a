"""A small world for the arena's tests: a database, staff, bots, tournaments and fake workers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.coordinator import enrolment, leases, matches
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.messages import Message
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import Role, VersionState
from arena.people import users
from arena.results import views
from arena.schemas.plans import TournamentPlan
from arena.store.database import Database
from arena.store.models import Bot, BotVersion, Match, Tournament, User
from arena.submissions import hosts, versions
from arena.theory.pairing.contract import FormatName
from arena.theory.standings.table import Standing
from arena.tournaments import lifecycle
from engines.game import Outcome
from engines.games import all_games, find_game
from engines.stream import Stream
from tests.memory_broker import MemoryBroker
from workers.core.contract import FaultCode, Forfeit, MatchResult, MatchSpec, MoveRecord, Seat, SeatUse
from workers.core.signing import new_key
from workers.play.policy import watch_of

GAME = "reversed_reversi"
PARAMS = {"size": 4}
HOST_SECONDS = 24 * 3600.0
"""No host is gone because the machine is slow."""


def play(spec: MatchSpec, seed: int = 0, forfeits: Iterable[Seat] = (), resigns: bool = False) -> MatchResult:
    """A result that fits `spec`: random moves from a seed, then a forfeit or a resignation if wanted."""
    drawn: str | None = None
    game = find_game(spec.game.name, spec.game.params)
    stream, state, moves = Stream("test", seed, *spec.seeds), game.initial(), list[MoveRecord]()
    early = resigns or bool(tuple(forfeits))
    watch = watch_of(game, spec.policy)
    while (
        game.outcome(state) is None and drawn is None and not (early and len(moves) >= len(spec.opening) + 2)
    ):
        ply = len(moves)
        asked = ply >= len(spec.opening)
        move = stream.choice(game.legal_moves(state)) if asked else game.move_from_text(spec.opening[ply])
        text = game.move_to_text(move)
        wall = 1000 + stream.below(10**9) if asked else 0
        moves.append(MoveRecord(ply=ply, seat=game.to_move(state), move=text, asked=asked, wall_ns=wall))
        state = game.play(state, move)
        if watch:
            watch.played(state)
            drawn = watch.reason if len(moves) >= len(spec.opening) else None
    seats = [
        SeatUse(bot_name="b", wall_ns=sum(move.wall_ns for move in moves if move.seat == seat))
        for seat in (0, 1)
    ]
    told: dict[str, Any] = {"match": spec.match, "moves": moves, "seats": seats, "host": "test-host"}
    losers = sorted(forfeits)
    if losers:
        evidence = [
            Forfeit(seat=seat, code=FaultCode.CRASH, ply=len(moves), detail="gone", expected="an answer")
            for seat in losers
        ]
        worst = game.forfeit_score(0)[0], game.forfeit_score(1)[1]
        score = worst if len(losers) == 2 else game.forfeit_score(losers[0])
        winner = None if len(losers) == 2 else 1 - losers[0]
        return MatchResult(winner=winner, reason="crash", score=score, forfeits=tuple(evidence), **told)
    if resigns:
        loser = game.to_move(state)
        return MatchResult(winner=1 - loser, reason="resign", score=game.forfeit_score(loser), **told)
    outcome = game.outcome(state) or (Outcome(None, drawn, game.draw_score()) if drawn else None)
    assert outcome is not None
    return MatchResult(winner=outcome.winner, reason=outcome.reason, score=outcome.score, **told)


@dataclass
class World:
    """A migrated database, the settings of a test, a broker in memory, and the staff.

    Whoever gives the staff's token has a database with staff in it.
    """

    database: Database
    settings: Settings
    broker: MemoryBroker = field(default_factory=MemoryBroker)
    staff_token: str = ""

    def __post_init__(self) -> None:
        self.settings = self.settings.model_copy(update={"host_seconds": HOST_SECONDS})
        with self.database.transaction() as session:
            if self.staff_token:
                self.staff = users.get(session, "staff")
                return
            self.staff, self.staff_token = users.create_user(session, "staff", Role.ADMIN)
            hosts.register(session, "test-host", {"python": "Python 3.11", "c": "gcc 12"}, 1.0)

    def team(self, name: str) -> User:
        """A new team."""
        with self.database.transaction() as session:
            return users.create_user(session, name, Role.TEAM)[0]

    def enrol(self, host: str, share: float | None = None) -> None:
        """Believe a host; with a share, so much of what it plays is repeated on trusted ones."""
        with self.database.transaction() as session:
            text, _ = enrolment.make_code(session, self.staff, share)
            enrolment.enrol(session, text, host, new_key().public)

    def bot(self, session: Session, name: str, owner: User | None = None, versions: int = 1) -> Bot:
        """A new bot with versions that no archive stands behind."""
        bot = Bot(owner_id=(owner or self.staff).id, name=name, created_at=utc_now())
        session.add(bot)
        for _ in range(versions):
            self.version(session, bot)
        return bot

    def version(self, session: Session, bot: Bot) -> BotVersion:
        """Another version of a bot, that no archive stands behind."""
        number = len(bot.versions) + 1
        version = BotVersion(
            bot=bot,
            number=number,
            archive=hashlib.sha256(f"{bot.name} {number}".encode()).hexdigest(),
            size=1,
            filename="main.py",
            language="python",
            games=list(all_games()),
            state=VersionState.PASSED,
            created_at=utc_now(),
        )
        session.add(version)
        session.flush()
        return version

    def approve(self, name: str) -> None:
        """Let all versions of a bot have passed their checks."""
        with self.database.transaction() as session:
            for version in versions.get(session, name).versions:
                version.state = VersionState.PASSED
                version.games = list(all_games())

    def tournament(self, name: str = "cup", bots: int = 4, *, start: bool = True, **plan: Any) -> str:
        """A tournament of new bots, running (or open); its name."""
        plan = {"game": GAME, "params": PARAMS, "format": FormatName.ROUND_ROBIN, "seed": 7, **plan}
        with self.database.transaction() as session:
            tournament = lifecycle.create(session, self.staff, TournamentPlan(name=name, **plan))
            for number in range(1, bots + 1):
                bot = self.bot(session, f"{name}-bot{number}")
                lifecycle.enter(session, self.staff, tournament, bot)
            lifecycle.open_(session, self.staff, tournament)
            if start:
                lifecycle.start(session, self.staff, tournament)
        return name

    def get(self, session: Session, name: str = "cup") -> Tournament:
        """The tournament of that name."""
        return lifecycle.get(session, name)

    def match(self, number: int = 1) -> Match:
        """A match by its number, as it is in the database now."""
        with self.database.reading() as session:
            return session.scalars(select(Match).where(Match.number == number)).one()

    def matches(self) -> list[Match]:
        """All matches by number."""
        with self.database.reading() as session:
            return list(session.scalars(select(Match).order_by(Match.number)))

    def leaderboard(self, name: str = "cup") -> list[Standing]:
        """The leaderboard as it stands."""
        with self.database.reading() as session:
            return views.leaderboard(session, self.get(session, name))

    def heartbeat(self, message: Message, host: str = "test-host") -> Verdict:
        """Report that the match of `message` is alive."""
        return self._report(leases.heartbeat, message, host=host)

    def lose(self, message: Message, trouble: str = "no room") -> Verdict:
        """Report that the match of `message` could not be played."""
        return self._report(leases.lost, message, host="test-host", trouble=trouble)

    def record(self, message: Message, result: MatchResult | dict[str, Any] | None = None) -> Verdict:
        """Report a result; a fitting one unless another is given."""
        told = play(message.spec) if result is None else result
        payload = told.model_dump(mode="json") if isinstance(told, MatchResult) else told
        return self._report(leases.record, message, report=payload)

    def _report(self, step: leases.Step, message: Message, **told: Any) -> Verdict:
        verdict = Verdict.HELD
        while verdict == Verdict.HELD:
            with self.database.transaction() as session:
                verdict = taken(step, matches.WORK, session, _about(message), settings=self.settings, **told)
        return verdict


def taken(
    step: leases.Step,
    work: leases.AnyWork,
    session: Session,
    about: Attempt,
    *,
    settings: Settings,
    **told: Any,
) -> Verdict:
    """Take in a single report."""
    (verdict,) = leases.take_in(step, work, session, [(about, told)], settings)
    return verdict


def issue_matches(session: Session, settings: Settings) -> list[Message]:
    """Publish what matches there is room for; the messages."""
    return leases.issue(matches.WORK, session, settings)


def _about(message: Message) -> Attempt:
    return Attempt((int(message.spec.match),), message.attempt, message.token)
