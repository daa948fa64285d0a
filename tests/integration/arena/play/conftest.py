"""People who play against bots, whose turns a test plays itself."""

from __future__ import annotations

from typing import Any

import pytest

from arena.coordinator import leases, moves
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.messages import MoveMessage
from arena.core.settings import Settings
from arena.people import users
from arena.play import games
from arena.play.games import Playing
from arena.schemas.play import NewPlay
from arena.store.models import PlayGame
from bots.reference import make
from tests.integration.arena.world import World, taken
from workers.core.contract import Forfeit, MatchResult
from workers.play import referee
from workers.play.inprocess import InProcessPlayer
from workers.play.turn import Absent

GUEST = "guest:somebody"


class Parlour:
    """A world in which somebody plays, and a worker that answers in this process."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.user: str | None = None
        self.settings: Settings = world.settings

    def begin(self, game: str = "heap_nim", player: str = GUEST, **wish: Any) -> str:
        """Begin a game; its address."""
        with self.world.database.transaction() as session:
            user = users.get(session, self.user) if self.user else None
            told = NewPlay.model_validate({"game": game, **wish})
            return games.begin(session, user, player, told, self.settings).address

    def act(self, address: str, act: Any, *told: Any) -> None:
        """Do something in a game."""
        with self.world.database.transaction() as session:
            user = users.get(session, self.user) if self.user else None
            row = games.find(session, address, lock=True)
            act(Playing(session, row, user, self.settings), *told)

    def move(self, address: str, text: str) -> None:
        """Move where the game stands."""
        self.act(address, games.move, text, len(self.texts(address)))

    def get(self, address: str) -> PlayGame:
        """The game as it is now."""
        with self.world.database.transaction() as session:
            row = games.find(session, address)
            session.flush()
            session.refresh(row)
            session.expunge_all()
            return row

    def texts(self, address: str) -> list[str]:
        """Its moves."""
        return [each["move"] for each in self.get(address).moves]

    def issue(self) -> list[MoveMessage]:
        """Give out what waits."""
        with self.world.database.transaction() as session:
            return leases.issue(moves.WORK, session, self.settings)

    def report(self, step: leases.Step, message: MoveMessage, **told: Any) -> Verdict:
        """Report on a turn."""
        about = Attempt((int(message.spec.match),), message.attempt, message.token)
        with self.world.database.transaction() as session:
            return taken(step, moves.WORK, session, about, settings=self.settings, **told)

    def record(self, message: MoveMessage, told: MatchResult | dict[str, Any] | None = None) -> Verdict:
        """Report a turn, as a worker would have played it unless another is given."""
        if isinstance(told, dict):
            return self.report(leases.record, message, report=told)
        result = told or played(message)
        return self.report(leases.record, message, report={"turn": result.model_dump(mode="json")})

    def answer(self) -> int:
        """Play all turns that wait; how many these were."""
        messages = self.issue()
        for message in messages:
            assert self.report(leases.heartbeat, message, host="pc") == Verdict.TAKEN
            assert self.record(message) == Verdict.TAKEN
        return len(messages)


def played(message: MoveMessage) -> MatchResult:
    """What a reference bot plays in that turn, as `workers.play.turn` has it played."""
    bot = message.spec.bots[message.seat or 0].name.removeprefix("@")
    player = InProcessPlayer(make(bot))
    return referee.play(message.spec, (player, Absent()) if message.seat == 0 else (Absent(), player))


def ended_by(
    parlour: Parlour, address: str, message: MoveMessage, reason: str, *forfeits: Forfeit
) -> MatchResult:
    """The result where the bot of that turn, in the second seat, loses by it after the first move."""
    result = played(message)
    score = games.rules_of(parlour.get(address)).forfeit_score(1)
    told = {"winner": 0, "reason": reason, "score": score, "forfeits": forfeits, "moves": result.moves[:1]}
    return result.model_copy(update=told)


@pytest.fixture
def parlour(world: World) -> Parlour:
    """Somebody who plays."""
    world.tournament(start=False)  # brings a host
    return Parlour(world)


def parlour_move(parlour: Parlour, address: str) -> str:
    """A legal move where a game stands."""
    row = parlour.get(address)
    game = games.rules_of(row)
    return game.move_to_text(game.legal_moves(games.position(row).state)[0])
