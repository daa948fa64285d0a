"""What a series comes to, computed from results made by hand; and how numbers are shown."""

from __future__ import annotations

from dataclasses import replace

from arena.cli.match.report import labels_of
from arena.cli.shared.output import duration
from arena.local.players import Player
from arena.local.series import PlayedGame, Series
from arena.local.summary import bot_summary, summarise
from workers.core.contract import (
    CpuContention,
    FaultCode,
    Forfeit,
    GameSpec,
    MatchRecord,
    MatchResult,
    MoveRecord,
    Policy,
    Seat,
    SeatUse,
    TimeControl,
)

PLAYERS = (Player("ann.py", "ann", ("ann",)), Player("@bob", "@bob", ("bob",)))
SERIES = Series(PLAYERS, 3, GameSpec(name="reversed_reversi"), (), 7, TimeControl(), Policy())


def played(
    number: int, winner: Seat | None, *forfeits: Forfeit, walls: tuple[int, int] = (0, 0)
) -> PlayedGame:
    """A game in which each seat answered once."""
    planned = SERIES.game_at(number - 1)
    moves = (
        MoveRecord(ply=0, seat=0, move="a1", wall_ns=walls[0]),
        MoveRecord(ply=1, seat=1, move="a1", wall_ns=walls[1]),
    )
    uses = tuple(SeatUse(answers=1, wall_ns=wall, slowest_ns=wall, cpu_ns=wall) for wall in walls)
    result = MatchResult(
        match=planned.spec.match,
        winner=winner,
        reason="fewest_discs",
        score=(20, 44),
        forfeits=forfeits,
        moves=moves,
        seats=(uses[0], uses[1]),
    )
    return PlayedGame(planned, MatchRecord(spec=planned.spec, result=result))


def test_seats_alternate_and_points_follow_the_bot() -> None:
    """Each bot's wins, scores and times are its own, whatever its seat."""
    ms = 1_000_000
    games = [
        played(1, 0, walls=(2 * ms, 5 * ms)),
        played(2, 0, walls=(5 * ms, 4 * ms)),
        played(3, None, walls=(3 * ms, 5 * ms)),
    ]
    ann, bob = (bot_summary(PLAYERS[index], index, games) for index in (0, 1))
    assert (ann["points"], ann["wins"], ann["draws"], ann["losses"], ann["score"]) == (1.5, 1, 1, 1, 84)
    assert (bob["points"], bob["wins"], bob["draws"], bob["losses"], bob["score"]) == (1.5, 1, 1, 1, 108)
    assert ann["time"] | {"startup_mean_ms": 0} == {
        "answers": 3,
        "mean_ms": 3.0,
        "median_ms": 3.0,
        "slowest_ms": 4.0,
        "total_ms": 9.0,
        "cpu_ms": 9.0,
        "extensions_used": 0,
        "startup_mean_ms": 0,
    }
    assert bob["time"]["mean_ms"] == 5.0


def test_all_times_of_an_answer_are_those_charged() -> None:
    """What a busy host kept from a bot counts in none, so that no mean is above the slowest answer."""
    ms = 1_000_000
    game = played(1, 0, walls=(9 * ms, 9 * ms))
    moves = tuple(replace(move, strain=CpuContention(lost_ns=7 * ms)) for move in game.record.result.moves)
    seats = tuple(SeatUse(answers=1, wall_ns=2 * ms, slowest_ns=2 * ms) for _ in moves)
    result = game.record.result.model_copy(update={"moves": moves, "seats": seats})
    busy = game._replace(record=game.record.model_copy(update={"result": result}))
    time = bot_summary(PLAYERS[0], 0, [busy])["time"]
    assert [time[f"{which}_ms"] for which in ("mean", "median", "slowest", "total")] == [2.0] * 4


def test_a_double_forfeit_gives_nobody_a_point() -> None:
    """Both bots lose, both forfeits are listed, each with its bot and the way to see it again."""
    fault = Forfeit(seat=0, code=FaultCode.CRASH, ply=0, detail="d", expected="e")
    game = played(2, None, fault, fault.model_copy(update={"seat": 1}))
    told = summarise(SERIES, [game], {2: "my games.jsonl#5"})
    assert [bot["points"] for bot in told["bots"]] == [0, 0]
    assert [forfeit["bot"] for forfeit in told["forfeits"]] == ["@bob", "ann.py"]
    assert told["forfeits"][1]["replay"] == (
        "arena match replay 'my games.jsonl#5' --to ann.py --seat 1 --until 1"
    )


def test_nothing_played_is_a_summary_too() -> None:
    """An interrupted series without a game has no means and no points."""
    told = summarise(SERIES, [], {})
    assert told["played"] == 0
    assert told["bots"][0]["time"]["mean_ms"] is None


def test_durations_are_shown_in_the_unit_that_fits() -> None:
    """Microseconds, milliseconds and seconds with three digits."""
    shown = [duration(value) for value in (900.0, 85e3, 1.5e6, 412e6, 1.234e9, 123.4e9)]
    assert shown == ["1 µs", "85 µs", "1.5 ms", "412 ms", "1.23 s", "123 s"]


def test_equal_names_are_numbered() -> None:
    """Two bots of one name can be told apart."""
    assert labels_of(["a", "b"]) == ["a", "b"]
    assert labels_of(["a", "a"]) == ["a (1)", "a (2)"]
