"""Games against people in the database: acts, clocks, whose they are, and what is removed."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.coordinator.leases import Verdict
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
from arena.people import users
from arena.play import games, quotas, seats, turns
from arena.play.records import record_of
from arena.store import play as store
from engines.games import GAMES, find_game, find_row
from tests.integration.arena.play.conftest import GUEST, Parlour, parlour_move
from tests.integration.arena.sparring import Ring
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import World
from workers.play import match


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


def test_a_bot_in_c_plays_where_there_is_a_compiler(parlour: Parlour) -> None:
    """Its turn waits for a host that runs C, and it is asked by its level; one of Python's goes anywhere."""
    for name, needs in (("@greedy", ""), ("@champion:3", "c")):
        address = parlour.begin(game="reversed_reversi", seats=[name, None])
        (message,) = parlour.issue()
        assert (message.spec.bots[0].name, message.needs) == (name, needs)
        parlour.act(address, games.resign)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"seats": ["@random", "@random"]}, "at least one seat"),
        ({"seats": [None, "@nobody"]}, "no reference bot"),
        ({"seats": [None, "@random:3"]}, "random"),
        ({"seats": [None, "@group8"]}, "no reference bot"),
        ({"game": "reversed_reversi", "params": {"size": 6}, "seats": [None, "@group8"]}, "only with size=8"),
        (
            {"game": "reversed_reversi", "params": {"rows": 7}, "seats": [None, "@strong"]},
            "only without rows",
        ),
        (
            {"game": "reversed_reversi", "params": {"size": 10}, "seats": [None, "@champion"]},
            "only with size=4 or 6 or 8 and without rows",
        ),
        ({"game": "reversed_reversi", "seats": [None, "@champion:9"]}, "champion:1 to champion:8"),
        ({"params": {"heaps": []}}, "heaps"),
        ({"game": "chess"}, "chess"),
        ({"game": "circle_nim", "params": {"rows": 7}, "seats": [None, "@perfect"]}, "no reference bot"),
        ({"params": {"heaps": [500] * 3}, "seats": [None, "@best_response"]}, "no reference bot"),
        ({"game": "l_game", "seats": [None, "@person:101"]}, "from 0 to 100, not '101'"),
        ({"game": "l_game", "seats": [None, "@learner:1:2:3"]}, "a number of games and a seed"),
    ],
)
def test_what_cannot_be_begun(parlour: Parlour, wish: dict[str, Any], words: str) -> None:
    """A game that is not there, or against nobody who is, is refused with what to give instead."""
    with pytest.raises(InvalidError, match=words):
        parlour.begin(**{"game": "heap_nim", **wish})


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_level_can_be_played_and_costs_the_api_no_solving(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """A person has all levels that were measured to choose from, also those that play from tables."""
    tables = tmp_path / "tables"
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tables))
    game = find_game(name)
    assert tuple(seats.levels(game)) == find_row(name).levels
    for level in {*seats.levels(game), *seats.offered(game)}:
        address = parlour.begin(game=name, seats=[f"@{level}", None])
        (message,) = parlour.issue()
        assert message.spec.bots[0].name == f"@{level}"
        parlour.act(address, games.resign)
    assert not tables.exists()


def test_heaps_of_every_size_are_played_by_every_level(parlour: Parlour) -> None:
    """They are solved at once, or by the rule."""
    game = find_game("heap_nim", {"heaps": [500] * 10})
    assert tuple(seats.levels(game)) == find_row("heap_nim").levels
    parlour.begin(params={"heaps": [9, 9, 9]}, seats=[None, "@perfect"])


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


def test_a_clock_for_a_move_is_for_both_and_has_extensions(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow move spends an extension, an undo gives it back; who has none left and is slow has lost."""
    clock = {"move": 60, "extensions": 1, "extension": 120}
    address = parlour.begin(seats=[None, "@random"], clock=clock)
    began = parlour.get(address).since

    def at(seconds: float) -> None:
        monkeypatch.setattr(games, "utc_now", lambda: began + dt.timedelta(seconds=seconds))

    at(1)
    assert games.shown_seconds(parlour.get(address), 0) == (60, 1)
    at(61)
    assert games.shown_seconds(parlour.get(address), 0) == (120, 0)
    assert games.shown_seconds(parlour.get(address), 1) == (60, 1)
    at(119)
    parlour.move(address, "1:1")
    assert [each.get("extension", False) for each in parlour.get(address).moves] == [True]
    (message,) = parlour.issue()
    time = message.spec.time
    assert (time.move_ms, time.extensions) == (5000, 0)
    parlour.act(address, games.undo)
    assert games.shown_seconds(parlour.get(address), 0) == (60, 1)
    at(119 + 90)
    parlour.move(address, "1:1")
    parlour.answer()
    record = record_of(parlour.get(address), [])
    spec = record.spec.time
    assert (spec.move_ms, spec.extensions, spec.extension_ms) == (60_000, 1, 120_000)
    assert [use.extensions_used for use in record.result.seats] == [1, 0]
    at(119 + 90 + 59)
    assert parlour.get(address).ended is None
    at(119 + 90 + 62)
    row = parlour.get(address)
    assert row.ended is not None
    assert (row.ended["winner"], row.ended["reason"]) == (1, "timeout")
    assert [games.shown_seconds(row, seat) for seat in (0, 1)] == [(0, 0), (60, 1)]


def test_a_bot_has_the_clock_of_a_move_that_is_shorter_than_its_own(parlour: Parlour) -> None:
    """Its extensions count for it as well; it never thinks for longer than bots may on workers."""
    clock = {"move": 2, "extensions": 3, "extension": 40}
    parlour.begin(seats=["@random", None], clock=clock)
    (message,) = parlour.issue()
    time = message.spec.time
    assert (time.move_ms, time.extensions, time.extension_ms) == (2000, 3, 5000)


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
        assert [row.address for row in session.scalars(store.of_player(GUEST))] == [newest]
        assert store.count_games(session, GUEST) == 1


def test_games_that_go_give_back_no_turns(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who begins more games than are kept has no more turns of bots in a day than others; then they go."""
    clock = Later()
    for module in (games, quotas, turns):
        monkeypatch.setattr(module, "utc_now", clock)
    monkeypatch.setattr(quotas, "KEPT_OF_GUESTS", 1)
    parlour.settings = parlour.settings.model_copy(update={"play_moves": 3})
    monkeypatch.setattr(quotas, "GUESTS", 1)
    for _ in range(3):
        parlour.begin(seats=["@random", None])
    with pytest.raises(TooManyError, match="as many turns"):
        parlour.begin(seats=["@random", None])
    clock.seconds = quotas.DAY.total_seconds() + 1
    parlour.begin(seats=["@random", None])
    with parlour.world.database.reading() as session:
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
