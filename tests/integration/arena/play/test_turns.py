"""A bot's turn counts once, whatever becomes of attempts at it, and within a quota; so does a hint."""

from __future__ import annotations

import pytest

from arena.coordinator import leases, moves
from arena.coordinator.leases import Verdict
from arena.core.errors import ForbiddenError, TooManyError
from arena.core.terms import MatchState
from arena.play import games
from arena.store import play as store
from engines.game import play_all
from tests.integration.arena.play.conftest import Parlour, ended_by, parlour_move, played
from tests.integration.arena.ticking import Later, coordinator_of, live
from workers.core.contract import FaultCode, Forfeit
from workers.play import referee
from workers.play.hints import hint
from workers.play.turn import hint_after


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


def test_a_bot_that_fails_has_lost_until_another_sits_there(parlour: Parlour) -> None:
    """Its fault ends the game with its code; with another opponent the game goes on."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    (message,) = parlour.issue()
    crash = Forfeit(seat=1, code=FaultCode.CRASH, ply=1, detail="it ended", expected="")
    told = ended_by(parlour, address, message, "crash", crash)
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
    gone = ended_by(parlour, address, message, "resign")
    assert parlour.record(message, gone) == Verdict.TAKEN
    ended = parlour.get(address).ended
    assert ended is not None
    assert (ended["winner"], ended["reason"]) == (0, "resign")


def test_a_turn_that_cannot_be_is_lost_and_then_parked(parlour: Parlour) -> None:
    """What is reported is played again before it is believed; after some losses nobody waits any more."""
    address = parlour.begin(seats=[None, "@random"])
    parlour.move(address, "1:1")
    for _ in range(moves.MAX_LOST + 1):
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
    for verdict in (Verdict.VOID, Verdict.TAKEN):
        (message,) = parlour.issue()
        told = ended_by(parlour, address, message, "timeout", late)
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
