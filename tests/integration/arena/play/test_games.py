"""Games against people in the database: acts, bots' turns as leased work, quotas, clocks, what is removed."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from arena.coordinator import leases, moves
from arena.coordinator.broker import MoveMessage
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.loop import REMOVING_SECONDS
from arena.core.clock import utc_now
from arena.core.errors import (
    ChangedError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    TooManyError,
)
from arena.core.settings import Settings
from arena.core.terms import MatchState
from arena.people import users
from arena.play import games, quotas
from arena.play.games import Playing
from arena.play.records import record_of
from arena.schemas.play import NewPlay
from arena.store import play as store
from arena.store.models import PlayGame
from bots.reference import make
from engines.game import play_all
from tests.integration.arena.sparring import Ring
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World, taken
from workers.core.contract import FaultCode, Forfeit, MatchResult
from workers.play import match, referee
from workers.play.hints import hint
from workers.play.inprocess import InProcessPlayer
from workers.play.turn import Absent, hint_after

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


@pytest.fixture
def parlour(world: World) -> Parlour:
    """Somebody who plays."""
    world.tournament(start=False)  # brings a host
    return Parlour(world)


def test_a_person_plays_a_bot_to_the_end(parlour: Parlour) -> None:
    """The bot is asked after each move, with the whole game so far, and its move is in the game once."""
    address = parlour.begin(params={"heaps": [1, 1, 1]}, seats=[None, "@random"])
    assert parlour.issue() == []
    parlour.move(address, "1:1")
    (message,) = parlour.issue()
    assert (message.spec.opening, message.seat, message.needs) == (("1:1",), 1, "")
    assert parlour.record(message) == Verdict.TAKEN
    assert parlour.record(message) == Verdict.DUPLICATE
    assert parlour.record(replace(message, token="other")) == Verdict.REFUSED
    assert len(parlour.texts(address)) == 2
    last = "2:1" if parlour.texts(address)[1] == "3:1" else "3:1"
    parlour.move(address, last)
    row = parlour.get(address)
    assert games.is_over(row)
    assert games.position(row).outcome is not None
    assert parlour.issue() == []


def test_a_bot_begins_and_the_seats_are_exchanged(parlour: Parlour) -> None:
    """Who gives the first seat to a bot waits for it; exchanged sides go on from the same position."""
    address = parlour.begin(seats=["@greedy", None])
    with pytest.raises(ConflictError, match="turn of @greedy"):
        parlour.move(address, "1:1")
    assert parlour.answer() == 1
    parlour.act(address, games.change, [None, "@greedy"])
    (message,) = parlour.issue()
    assert (message.seat, len(message.spec.opening)) == (1, 1)


def test_a_change_of_level_calls_the_turn_off(parlour: Parlour) -> None:
    """What was asked of the bot before is refused, and the other one is asked."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    (old,) = parlour.issue()
    parlour.act(address, games.change, [None, "@perfect"])
    assert parlour.report(leases.heartbeat, old, host="pc") == Verdict.REFUSED
    (new,) = parlour.issue()
    assert new.spec.bots[1].name == "@perfect"
    assert parlour.record(old) == Verdict.REFUSED
    assert parlour.texts(address) == ["1:1"]
    assert parlour.record(new) == Verdict.TAKEN
    assert len(parlour.texts(address)) == 2


def test_undo_and_restart(parlour: Parlour) -> None:
    """An undo while the bot thinks takes the person's move back; a restart begins with no moves."""
    address = parlour.begin(seats=[None, "@random"])
    with pytest.raises(ConflictError, match="no move"):
        parlour.act(address, games.undo)
    parlour.move(address, "1:1")
    (message,) = parlour.issue()
    parlour.act(address, games.undo)
    assert parlour.texts(address) == []
    assert parlour.record(message) == Verdict.REFUSED
    parlour.move(address, "1:2")
    parlour.answer()
    assert len(parlour.texts(address)) == 2
    parlour.act(address, games.restart, ["@random", None])
    assert (parlour.texts(address), parlour.get(address).seats[0]["bot"]) == ([], "@random")
    assert parlour.answer() == 1


def test_two_people_at_one_screen(parlour: Parlour) -> None:
    """Nobody is asked; each move is the side's whose turn it is; an end can be taken back."""
    address = parlour.begin(params={"heaps": [1, 1, 1]}, seats=[None, None])
    for text in ("1:1", "2:1", "3:1"):
        parlour.move(address, text)
    row = parlour.get(address)
    assert [move.seat for move in games.moves_of(row)] == [0, 1, 0]
    with pytest.raises(ConflictError, match="over"):
        parlour.move(address, "1:1")
    parlour.act(address, games.undo)
    parlour.act(address, games.resign)
    ended = parlour.get(address).ended
    assert ended is not None
    assert (ended["winner"], ended["reason"]) == (1, "resign")
    assert parlour.issue() == []


def test_what_cannot_be_moved(parlour: Parlour) -> None:
    """An illegal move is refused with words, and one for a position that is no more."""
    address = parlour.begin(seats=[None, None])
    for text in ("1:9", "nonsense"):
        with pytest.raises(InvalidError):
            parlour.move(address, text)
    with pytest.raises(ChangedError, match="0 plies, not 3"):
        parlour.act(address, games.move, "1:1", 3)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"seats": ["@random", "@random"]}, "at least one seat"),
        ({"seats": [None, "@nobody"]}, "no reference bot"),
        ({"seats": [None, "@random:3"]}, "random"),
        ({"seats": [None, "@group8"]}, "no reference bot"),
        ({"params": {"heaps": []}}, "heaps"),
        ({"game": "chess"}, "chess"),
        ({"params": {"heaps": [9, 9, 9]}, "seats": [None, "@perfect"]}, "no reference bot"),
    ],
)
def test_what_cannot_be_begun(parlour: Parlour, wish: dict[str, Any], words: str) -> None:
    """A game that is not there, or against nobody who is, is refused with what to give instead."""
    with pytest.raises(InvalidError, match=words):
        parlour.begin(**{"game": "heap_nim", **wish})


def test_a_bot_that_fails_has_lost_until_another_sits_there(parlour: Parlour) -> None:
    """Its fault ends the game with its code; with another opponent the game goes on."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    (message,) = parlour.issue()
    crash = Forfeit(seat=1, code=FaultCode.CRASH, ply=1, detail="it ended", expected="")
    score = games.rules_of(parlour.get(address)).forfeit_score(1)
    result = played(message)
    told = result.model_copy(
        update={
            "winner": 0,
            "reason": "crash",
            "score": score,
            "forfeits": (crash,),
            "moves": result.moves[:1],
        }
    )
    assert parlour.record(message, told) == Verdict.TAKEN
    ended = parlour.get(address).ended
    assert ended is not None
    assert (ended["winner"], ended["reason"], ended["detail"]) == (0, "crash", "it ended")
    parlour.act(address, games.change, [None, "@greedy"])
    assert parlour.get(address).ended is None
    assert parlour.answer() == 1


def test_a_bot_may_give_up(parlour: Parlour) -> None:
    """Its resignation is told from the other side's being waited for."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    (message,) = parlour.issue()
    result = played(message)
    score = games.rules_of(parlour.get(address)).forfeit_score(1)
    gone = result.model_copy(
        update={"winner": 0, "reason": "resign", "score": score, "moves": result.moves[:1]}
    )
    assert parlour.record(message, gone) == Verdict.TAKEN
    ended = parlour.get(address).ended
    assert ended is not None
    assert (ended["winner"], ended["reason"]) == (0, "resign")


def test_a_turn_that_cannot_be_is_lost_and_then_parked(parlour: Parlour) -> None:
    """What is reported is played again before it is believed; after some losses nobody waits any more."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    for _ in range(moves.MOST_LOST + 1):
        (message,) = parlour.issue()
        assert parlour.record(message, {"turn": {"moves": []}}) == Verdict.UNFIT
    assert parlour.issue() == []
    with parlour.world.database.reading() as session:
        turn = store.turn_at(session, games.find(session, address))
        assert turn is not None
        assert turn.state == MatchState.PARKED
    parlour.act(address, games.change, [None, "@random"])
    assert parlour.answer() == 1


def test_a_late_report_of_a_lost_attempt_is_refused(parlour: Parlour) -> None:
    """A worker that fell silent has lost its attempt; the turn is given out anew, and comes all the same."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    clock = Later()
    coordinator = coordinator_of(parlour.world, clock)
    coordinator.tick()
    (old,) = parlour.world.broker.moves
    parlour.world.broker.moves.clear()
    assert parlour.report(leases.heartbeat, old, host="pc") == Verdict.TAKEN
    live(coordinator, clock, parlour.settings.lease_seconds + 10)
    (new,) = parlour.world.broker.moves
    assert (old.attempt, new.attempt) == (1, 2)
    assert parlour.record(old) == Verdict.REFUSED
    assert parlour.record(new) == Verdict.TAKEN
    assert len(parlour.texts(address)) == 2


def test_an_overrun_that_the_host_explains_is_void_once(parlour: Parlour) -> None:
    """The turn is played again; the second time it counts."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    late = Forfeit(seat=1, code=FaultCode.TIMEOUT, ply=1, detail="late", expected="", excused=True)
    score = games.rules_of(parlour.get(address)).forfeit_score(1)
    for verdict in (Verdict.VOID, Verdict.TAKEN):
        (message,) = parlour.issue()
        result = played(message)
        told = result.model_copy(
            update={
                "winner": 0,
                "reason": "timeout",
                "score": score,
                "forfeits": (late,),
                "moves": result.moves[:1],
            }
        )
        assert parlour.record(message, told) == verdict
    assert games.is_over(parlour.get(address))


def test_a_hint_is_found_out_once(parlour: Parlour) -> None:
    """It is asked of a worker, belongs to one position, and goes when that does."""
    address = parlour.begin(params={"heaps": [1, 2, 4]}, seats=[None, None])
    parlour.act(address, games.ask_hint)
    parlour.act(address, games.ask_hint)
    (message,) = parlour.issue()
    assert message.seat is None
    game = referee.game_of(message.spec)
    told = hint(game, play_all(game, message.spec.opening), lambda *_: None)
    assert parlour.record(message, {"turn": played(message).model_dump(mode="json")}) == Verdict.UNFIT
    (message,) = parlour.issue()
    assert parlour.record(message, {"hint": told}) == Verdict.TAKEN
    with parlour.world.database.reading() as session:
        found = store.turn_at(session, games.find(session, address), hint=True)
        assert found is not None
        assert found.answer is not None
        assert [each["move"] for each in found.answer["moves"]] == ["3:1"]
    parlour.move(address, "3:1")
    with parlour.world.database.reading() as session:
        assert store.turn_at(session, games.find(session, address), hint=True) is None


def test_a_hint_belongs_to_the_moves_that_led_to_a_position(parlour: Parlour) -> None:
    """After an undo others may have led to as many plies: it is not theirs; the same moves have it again."""
    address = parlour.begin(params={"heaps": [1, 2, 4]}, seats=[None, None])
    parlour.move(address, "1:1")
    parlour.act(address, games.ask_hint)
    (message,) = parlour.issue()
    assert parlour.record(message, {"hint": hint_after(message.spec)}) == Verdict.TAKEN

    def known() -> bool:
        with parlour.world.database.reading() as session:
            return store.turn_at(session, games.find(session, address), hint=True) is not None

    assert known()
    for text, there in (("3:4", False), ("1:1", True)):
        parlour.act(address, games.undo)
        parlour.move(address, text)
        assert known() is there


def test_a_person_has_so_many_turns_a_day(parlour: Parlour) -> None:
    """The next one is refused with when there is one again; guests of one address share ten times as many."""
    parlour.settings = parlour.settings.model_copy(update={"play_moves": 1})
    address = parlour.begin(seats=[None, "@random"], player="user:77")
    parlour.move(address, "1:1")
    parlour.answer()
    with pytest.raises(TooManyError, match="24 hours"):
        parlour.move(address, parlour_move(parlour, address))
    other = parlour.begin(seats=[None, "@random"])
    parlour.move(other, "1:1")
    parlour.answer()
    parlour.move(other, parlour_move(parlour, other))
    parlour.settings = parlour.settings.model_copy(update={"play_moves": 0})
    with pytest.raises(ForbiddenError, match="two people"):
        parlour.begin(seats=["@random", None])


def parlour_move(parlour: Parlour, address: str) -> str:
    """A legal move where a game stands."""
    row = parlour.get(address)
    game = games.rules_of(row)
    return game.move_to_text(game.legal_moves(games.position(row).state)[0])


def test_only_its_owner_plays_a_users_game(parlour: Parlour) -> None:
    """Whoever knows the address of a user's game looks on; of a guest's game they play."""
    parlour.world.team("red")
    parlour.user = "red"
    address = parlour.begin(player="user:1", seats=[None, None])
    with parlour.world.database.reading() as session:
        row = games.find(session, address)
        assert games.may_play(users.get(session, "red"), row)
        assert not games.may_play(None, row)
        with pytest.raises(ForbiddenError):
            games.require_player(None, row)


def test_a_clock_that_runs_out_ends_the_game(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks after it has run out finds the person beaten; the bot has no more time than is left."""
    address = parlour.begin(seats=[None, "@random"], clock={"seconds": 10, "increment": 2})
    now = utc_now()
    monkeypatch.setattr(games, "utc_now", lambda: now + dt.timedelta(seconds=4))
    parlour.move(address, "1:1")
    assert games.left_seconds(parlour.get(address), 0) == pytest.approx(8, abs=1)
    (message,) = parlour.issue()
    assert message.spec.time.move_ms == 5000
    assert parlour.record(message) == Verdict.TAKEN
    monkeypatch.setattr(games, "utc_now", lambda: now + dt.timedelta(seconds=40))
    ended = parlour.get(address).ended
    assert ended is not None
    assert (ended["winner"], ended["reason"]) == (1, "timeout")


def test_the_coordinator_removes_old_games(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does so from time to time, and not at every look."""
    old = parlour.begin(seats=[None, None])
    monkeypatch.setattr(games, "utc_now", lambda: utc_now() + dt.timedelta(days=8))
    clock = Later()
    coordinator = coordinator_of(parlour.world, clock)
    coordinator.tick()
    with parlour.world.database.reading() as session:
        assert store.by_address(session, old) is not None
    clock.seconds += REMOVING_SECONDS
    coordinator.tick()
    with parlour.world.database.reading() as session:
        assert store.by_address(session, old) is None


def test_old_games_are_removed_and_a_player_keeps_some(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody has touched for some days goes with its turns, and so do the oldest of too many."""
    old = parlour.begin(seats=["@random", None])
    monkeypatch.setattr(games, "utc_now", lambda: utc_now() + dt.timedelta(days=8))
    new = parlour.begin(seats=["@random", None])
    with parlour.world.database.transaction() as session:
        assert games.remove_old(session, 7) == 1
        assert store.by_address(session, old) is None
        assert store.by_address(session, new) is not None
    monkeypatch.setattr(quotas, "KEPT_OF_GUESTS", 1)
    newest = parlour.begin(seats=[None, None])
    with parlour.world.database.reading() as session:
        assert [row.address for row in session.scalars(store.of_player(GUEST))] in ([newest], [new])
        assert store.count_games(session, GUEST) == 1


def test_a_game_is_saved_as_a_record_that_can_be_replayed(parlour: Parlour) -> None:
    """Its moves can be played again, and its end is told, also before it is over."""
    address = parlour.begin(params={"heaps": [1, 1, 1]}, seats=[None, "@random"])
    parlour.move(address, "1:1")
    parlour.answer()
    record = record_of(parlour.get(address), [0, 1])
    assert (record.result.reason, record.result.winner) == ("unfinished", None)
    assert [bot.name for bot in record.spec.bots] == ["person", "@random"]
    side = match._requests_of(record, 1)
    assert [asked[0]["history"] for asked in side.asked] == [["1:1"]]
    parlour.move(address, parlour_move(parlour, address))
    assert record_of(parlour.get(address), []).result.reason in {"took_the_last", "left_the_last"}


def test_own_and_allowed_bots_are_played_against(world: World) -> None:
    """A team plays its own bot, a classmate's if its owner lets it, and nobody else's."""
    ring = Ring(world)
    parlour = Parlour(world)
    parlour.user = "red"
    parlour.begin("reversed_reversi", player="user:1", seats=[None, "red"])
    for name in ("blue", "green", "nobody"):
        with pytest.raises(NotFoundError, match="may play against"):
            parlour.begin("reversed_reversi", player="user:1", seats=[None, name])
    ring.let("blue")
    address = parlour.begin("reversed_reversi", player="user:1", seats=["blue", None])
    (one,) = [each for each in parlour.issue() if each.spec.bots[0].name == "blue"]
    assert (one.needs, one.spec.bots[0].version) == ("python", 2)
    ring.let("blue", takes=False)
    with pytest.raises(NotFoundError):
        parlour.act(address, games.restart, None)
    parlour.user = None
    with pytest.raises(NotFoundError):
        parlour.begin("reversed_reversi", seats=[None, "red"])
