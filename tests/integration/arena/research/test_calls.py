"""`arena.research`: what it comes to is what the command line says, and pandas reads what is written."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from arena import research
from arena.local import simulation
from arena.local.errors import InputError
from arena.research import simulating
from engines.game import GameError
from tests.integration.arena.cli.conftest import AMPLE
from tests.unit.arena.cli.conftest import Run, chinese, journals, run

__all__ = ["chinese", "journals", "run"]

pandas = pytest.importorskip("pandas", reason="pandas reads what is written")


@pytest.mark.usefixtures("journals")
def test_a_simulation_is_that_of_the_command_line(run: Run) -> None:
    """All counts and estimates agree, and so do the rows of the table."""
    words = ("circle_nim", "--rows", "3", "--first", "perfect", "--second", "random", "-n", "2000", "--swap")
    printed = run("simulate", *words, "--seed", "5", "--json").json()
    told = research.simulate("circle_nim", "perfect", "random", 2000, params={"rows": 3}, swap=True, seed=5)
    assert told.first is not None
    assert (told.games, told.stopped, told.summary["first"]) == (2000, False, printed["first"])
    assert told.score.mean == printed["first"]["score"]["mean"]
    assert told.score.interval.low == printed["first"]["score"]["low"]
    assert told.by_seat[1].wins == printed["by_seat"][1]["wins"]
    frame = told.to_pandas()
    assert list(frame["first_sits_in"]) == ["0", "1", "both"]
    assert frame["wins"].iloc[2] == told.first.wins == frame["wins"].iloc[:2].sum()
    assert frame["score_mean"].dtype == "float64"


@pytest.mark.usefixtures("journals")
def test_games_are_recorded_and_read_again(tmp_path: Path) -> None:
    """Parquet of games and of plies; whoever wants none is told how to ask."""
    path = tmp_path / "plies.parquet"
    told = research.simulate("heap_nim", "xor", "random", 300, record=path, record_by="ply")
    assert told.recorded().num_rows == told.tally.plies == len(pandas.read_parquet(path))
    with pytest.raises(InputError, match="not recorded in columns"):
        research.simulate("heap_nim", "xor", "random", 10).recorded()
    with pytest.raises(InputError, match="there already"):
        research.simulate("heap_nim", "xor", "random", 300, record=path)


@pytest.mark.usefixtures("journals")
def test_a_simulation_ends_by_a_rule() -> None:
    """By a test, which is told, or by a narrow interval; not by both."""
    test = research.Sprt(elo0=0, elo1=50)
    told = research.simulate("heap_nim", "xor", "random", 5000, swap=True, sprt=test)
    assert told.stopped
    assert told.sprt is not None
    assert told.sprt["verdict"] == "elo1"
    narrow = research.simulate("heap_nim", "random", "random", 100_000, stop_when_ci=0.02)
    assert narrow.stopped
    assert narrow.score.interval.half_width <= 0.02
    with pytest.raises(InputError, match="not by both"):
        research.simulate("heap_nim", "xor", "random", 100, swap=True, sprt=test, stop_when_ci=0.1)


@pytest.mark.usefixtures("journals", "chinese")
def test_an_interrupt_is_one_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C where the arena speaks Chinese raises Python's exception, and no error of the arena."""

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "simulate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        research.simulate("heap_nim", "xor", "random", 10)


@pytest.mark.parametrize(
    ("game", "players"), [("no_game", ("random", "random")), ("heap_nim", ("./nobody", "random"))]
)
def test_what_cannot_be_simulated_is_said(game: str, players: tuple[str, str]) -> None:
    """A game or a player that does not exist is refused by its name."""
    with pytest.raises((GameError, InputError), match=r"no_game|nobody"):
        research.simulate(game, *players, 10)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"games": 0}, "games is a whole number from 1 on, not 0"),
        ({"games": "10"}, "games is a whole number from 1 on, not '10'"),
        ({"openings": -1}, "openings is a whole number from 0 on, not -1"),
        ({"jobs": math.nan}, "jobs is a whole number from 1 on, not nan"),
        ({"first": None}, "a player is told by its name, such as 'perfect', not None"),
        ({"sprt": "0,10"}, "sprt is a research.Sprt"),
        ({"interval": "Wilson"}, "an interval is by wilson or clopper-pearson, not 'Wilson'"),
        ({"confidence": 95}, "a confidence lies between 0 and 1, such as 0.95, not 95"),
        ({"confidence": 1, "interval": "clopper-pearson"}, "a confidence lies between 0 and 1"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("journals")
def test_what_is_of_another_kind_is_refused_before_a_game_is_played(
    wrong: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts, players, tests and intervals are told what they should be."""
    monkeypatch.setattr(simulating, "run", None)
    asked: dict[str, Any] = {"game": "heap_nim", "first": "xor", "second": "random", "games": 10}
    with pytest.raises((InputError, ValueError), match=re.escape(words)):
        research.simulate(**asked | wrong)


def test_a_solution_tells_every_position() -> None:
    """Values, moves and the table agree with each other and with Nim's rule."""
    solved = research.solve("heap_nim")
    assert solved.worth() == research.Worth("won", 11)
    assert solved.best() == ["1:2"]
    assert solved.worth(["1:2"]).value == "lost"
    assert solved.each_move()["1:2"] == solved.worth()
    assert solved.best(["1:3", "2:4", "3:5"]) == []
    assert solved.analysis["winner"] == "first"
    frame = solved.positions().to_pandas()
    assert len(frame) == 4 * 5 * 6
    for row in frame.itertuples():
        one, two, three = json.loads(row.position)["heaps"]
        assert (row.value == "lost") == (one ^ two ^ three == 0)
        assert bool(len(row.best)) == bool(one + two + three)
    with pytest.raises(GameError, match=r"cannot be solved|positions"):
        research.solve("reversed_reversi", {"size": 8})


def test_positions_are_written_by_the_command_too(run: Run, tmp_path: Path) -> None:
    """`arena solve --table FILE.parquet` writes what `positions` gives."""
    assert run("solve", "heap_nim", "--table", str(tmp_path / "t.parquet")).code == 0
    written = pandas.read_parquet(tmp_path / "t.parquet")
    pandas.testing.assert_frame_equal(written, research.solve("heap_nim").positions().to_pandas())


@pytest.fixture
def recorded(run: Run, tmp_path: Path) -> Path:
    """A record of six matches, one player of which always answers with an illegal move."""
    wrong = tmp_path / "wrong.py"
    choose = "class Bot:\n    def choose(self, request):\n        return 'z9'\n"
    wrong.write_text(f"from arena_bot import run\n{choose}run(Bot())\n")
    path = tmp_path / "r.jsonl"
    words = (str(wrong), "@random", "@perfect", "--game", "heap_nim", *AMPLE, "--record", str(path))
    assert run("match", "run", *words).code == 0
    return path


def test_matches_and_moves_are_tables(run: Run, recorded: Path, tmp_path: Path) -> None:
    """What was written is read by pandas: results, forfeits, times in milliseconds, every ply."""
    lines = [json.loads(line) for line in recorded.read_text().splitlines()]
    for by in ("game", "ply"):
        output = ("-o", str(tmp_path / f"{by}.parquet"))
        assert run("match", "export", str(recorded), *output, "--by", by).code == 0
    games, plies = (pandas.read_parquet(tmp_path / f"{by}.parquet") for by in ("game", "ply"))
    assert list(games["winner"]) == [line["result"]["winner"] for line in lines]
    assert list(games["points_0"] + games["points_1"]) == [1.0] * 6
    assert list(games["forfeit_0"].dropna()) == ["illegal_move"] * 2 == list(games["forfeit_1"].dropna())
    assert list(games["plies"]) == [len(line["result"]["moves"]) for line in lines]
    assert games["time_0_ms"].iloc[1] == lines[1]["result"]["seats"][0]["wall_ns"] / 1e6
    assert list(plies["move"]) == [move["move"] for line in lines for move in line["result"]["moves"]]
    first = lines[plies["number"].iloc[0] - 1]["result"]["moves"][0]
    assert plies["wall_ms"].iloc[0] == first["wall_ns"] / 1e6
    pandas.testing.assert_frame_equal(games, research.matches(recorded).to_pandas())
    assert len(research.moves([recorded, str(recorded)]).to_arrow()) == 2 * len(plies)
    again = run("match", "export", str(recorded), "-o", str(tmp_path / "ply.parquet"))
    assert (again.code, "--force" in again.err) == (2, True)
    assert "ends with .parquet" in run("match", "export", str(recorded), "-o", "x.csv").err
    rated = research.ratings(recorded)
    assert [line.bot for line in rated] == ["@perfect", "@random", "wrong"]
    assert (
        json.loads(run("pgn", "ratings", str(recorded), "--json").out)["items"][0]["rating"] == rated[0].elo
    )


@pytest.mark.usefixtures("journals")
def test_simulated_games_are_matches_without_a_clock(run: Run, tmp_path: Path) -> None:
    """Their times are missing, in the tables and in Arrow."""
    path = tmp_path / "g.jsonl"
    words = ("--first", "random", "--second", "perfect", "-n", "20", "--record", str(path))
    assert run("simulate", "heap_nim", *words).code == 0
    games = research.matches(path).to_pandas()
    assert games["time_0_ms"].isna().all()
    assert research.moves(path).to_pandas()["wall_ms"].isna().all()
    assert list(games["bot_0"]) == ["random"] * 20


def test_games_from_anywhere_are_rated() -> None:
    """By results that are typed, whatever their order; what is no score is refused."""
    games = [("a", "b", 1), ("b", "a", 0.5), ("a", "b", 0), ("b", "a", 0)]
    told, again = research.ratings(games), research.ratings(reversed(games))
    assert told.to_arrow() == again.to_arrow()
    assert [line.bot for line in told] == ["a", "b"]
    assert math.isclose(told[0].elo + told[1].elo, 0, abs_tol=0.002)
    assert told.ratings.seat is not None
    for wrong, why in (
        ([("a", "b", 2)], "a score is"),
        ([], "has a result"),
        ([("a", "a", 1)], "plays itself"),
    ):
        with pytest.raises(InputError, match=why):
            research.ratings(wrong)
    with pytest.raises(InputError, match="there is no model 'elo'; there are davidson, ordo"):
        research.ratings([("a", "b", 1)], model="elo")  # type: ignore[arg-type]  # as it may be typed
