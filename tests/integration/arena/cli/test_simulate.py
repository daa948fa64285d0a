"""`arena simulate`, with a journal folder of its own."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import pytest

from arena.cli.shared.failures import CliError
from arena.cli.simulate import report as simulation_report
from arena.experiments.simulations import COLUMNS, make_spec, strategy_player
from engines.games import find_game
from tests.unit.arena.cli.conftest import Simulate
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import GameRecord, Tally


def test_the_numbers_are_those_of_the_games(simulate: Simulate) -> None:
    """The JSON document has every integer of the games played directly, and is the spec's own."""
    ran = simulate("--games", "3000", "--seed", "7", "--match", "2", "--swap", "--json", first="xor")
    assert ran.code == 0, ran.err
    told = ran.json()
    game = find_game("heap_nim")
    players = strategy_player("xor", game), strategy_player("random", game)
    spec = make_spec(game, players, games=3000, seed=7, match=2, swap=True)
    tally = sum((block.tally for block in play_chunk(spec, 0, 3000)), Tally())
    assert told["tally"] == tally.model_dump(mode="json")
    assert told["spec"] == spec.model_dump(mode="json")
    assert told["digest"] == spec.digest
    assert (told["games"], told["stopped"], told["interrupted"]) == (3000, False, False)
    wins, draws, losses = tally.wins_draws_losses
    assert [told["first"][name] for name in ("wins", "draws", "losses")] == [wins, draws, losses]
    assert told["first"]["shares"]["wins"]["low"] < wins / 3000 < told["first"]["shares"]["wins"]["high"]
    assert [part["games"] for part in told["by_seat"]] == [1500, 1500]
    assert sum(part["wins"] for part in told["by_seat"]) == wins
    assert told["plies_mean"] == tally.plies / 3000
    assert told["scores_mean"] is None
    assert told["run"]["games"] == 3000


def test_words_tell_the_same(simulate: Simulate) -> None:
    """Without --json there is a table by seat, with plies, ends and speed; progress goes to stderr."""
    ran = simulate("--games", "200", "--swap", "--size", "4", game="reversed_reversi")
    assert ran.code == 0, ran.err
    for words in (
        "in seat 0",
        "in seat 1",
        "all games",
        "wins",
        "draws",
        "score",
        "mean scores",
        "fewest_discs",
    ):
        assert words in ran.out
    assert "200 games in" in ran.out
    assert "games played: 200 of 200" in ran.err


@pytest.mark.parametrize(
    ("words", "players", "params", "openings", "policy"),
    [
        (("--rows", "3"), {"game": "circle_nim", "first": "algo3:20"}, {"rows": 3}, 0, (None, None)),
        (
            ("--heaps", "1,2,3", "--param", "misere=true"),
            {"first": "xor"},
            {"heaps": [1, 2, 3], "misere": True},
            0,
            (None, None),
        ),
        (
            ("--max-plies", "10", "--openings", "2", "--opening-plies", "2"),
            {"game": "l_game"},
            {},
            2,
            (3, 10),
        ),
        (("--repetition", "2", "--max-plies", "90"), {"game": "rhombic_chess"}, {}, 0, (2, 90)),
    ],
)
def test_every_game_can_be_simulated(
    *, simulate: Simulate, words: tuple[str, ...], players: Any, params: Any, openings: int, policy: Any
) -> None:
    """Its own parameters, players, openings and draw policy reach the spec."""
    ran = simulate("--games", "20", *words, "--json", **players)
    assert ran.code == 0, ran.err
    told = ran.json()
    assert told["tally"]["games"] == 20
    spec = told["spec"]
    assert spec["game"]["params"] == params
    assert len(spec["openings"]) == openings
    assert (spec["policy"]["repetition"], spec["policy"]["max_plies"]) == policy


def test_bots_play_too(simulate: Simulate, bots: Path) -> None:
    """A file and a reference bot play as processes; a forfeit is a result."""
    ran = simulate("--games", "2", "--json", first=str(bots / "first.py"), second="@random")
    assert ran.code == 0, ran.err
    assert [player["name"] for player in ran.json()["spec"]["players"]] == ["first", "@random"]
    forfeited = simulate("--games", "2", second=str(bots / "wrong.py"), game="rhombic_chess")
    assert forfeited.code == 0, forfeited.err
    assert "forfeits 0 and 2" in forfeited.out


def test_games_and_counts_go_to_files(simulate: Simulate, tmp_path: Path) -> None:
    """--record has a line a game in their order, --csv the rows of the summary."""
    record, table = tmp_path / "games.jsonl", tmp_path / "counts.csv"
    ran = simulate(
        "--games", "300", "--swap", "--record", str(record), "--csv", str(table), "--json", "--jobs", "2"
    )
    assert ran.code == 0, ran.err
    lines = [GameRecord.model_validate_json(line) for line in record.read_text().splitlines()]
    assert [line.index for line in lines] == list(range(300))
    assert {line.simulation for line in lines} == {ran.json()["digest"]}
    assert sum(line.plies for line in lines) == ran.json()["tally"]["plies"]
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert list(rows[0]) == list(COLUMNS)
    assert [(row["first_sits_in"], row["games"]) for row in rows] == [
        ("0", "150"),
        ("1", "150"),
        ("both", "300"),
    ]
    assert int(rows[2]["wins"]) == ran.json()["first"]["wins"]
    assert {path.name for path in tmp_path.iterdir()} >= {"games.jsonl", "counts.csv"}
    assert not list(tmp_path.glob("*.part"))


def test_it_stops_when_the_score_is_known(simulate: Simulate) -> None:
    """With --stop-when-ci it ends at a thousand, says so, and the interval is narrow enough."""
    words = (
        "--games",
        "1000000",
        "--stop-when-ci",
        "0.015",
        "--interval",
        "clopper-pearson",
        "--confidence",
        "0.9",
    )
    told = simulate(*words, "--chunk", "500", "--json").json()
    score = told["first"]["score"]
    assert told["stopped"]
    assert told["games"] % 1000 == 0
    assert told["games"] < 10_000
    assert (score["high"] - score["low"]) / 2 <= 0.015
    assert (score["method"], told["confidence"]) == ("clopper-pearson", 0.9)
    again = simulate(*words, "--chunk", "3000", "--jobs", "1", "--json").json()
    assert again["tally"] == told["tally"]
    assert "narrow enough" in simulate(*words).out


@pytest.mark.parametrize(
    ("words", "players", "told"),
    [
        (("--rows", "13"), {"game": "circle_nim"}, "rows must be a whole number from 2 to 7, not 13"),
        (("--heaps", "-3,4,5"), {}, "from 1 to 500, not -3"),
        (("--heaps", "3;4"), {}, "no list of heaps"),
        (("--rows", "5"), {}, "heap_nim has no parameter 'rows'"),
        (("--size", "6", "--param", "size=8"), {"game": "reversed_reversi"}, "given twice"),
        ((), {"game": "chess"}, "there is no game 'chess'"),
        ((), {"first": "nobody"}, "the players of heap_nim by name are"),
        ((), {"first": "@nobody"}, "@nobody"),
        ((), {"first": "@group8"}, "group8 plays reversed_reversi, not heap_nim"),
        ((), {"game": "reversed_reversi", "first": "perfect"}, "solved from its start with size 4"),
        ((), {"first": "algo1:10"}, "heap_nim has no player 'algo1:10'"),
        ((), {"game": "circle_nim", "second": "algo1:0"}, "records"),
        ((), {"game": "circle_nim", "second": "algo1:-5"}, "records"),
        (("--openings", "3", "--opening-plies", "50"), {}, "different unfinished openings"),
        (("--confidence", "95"), {}, "--confidence lies between 0 and 1"),
        (("--stop-when-ci", "0"), {}, "--stop-when-ci lies between 0 and 0.5"),
        (("--record", "nowhere/games.jsonl"), {}, "cannot be written"),
        (("--csv", "nowhere/counts.csv"), {}, "cannot be written"),
        (("--csv", "."), {}, "cannot be written"),
        (("--on", "workers", "--jobs", "2"), {}, "are for games that are played here"),
        (("--on", "workers"), {"first": "@random"}, "workers know players by name"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(
    simulate: Simulate, words: tuple[str, ...], players: dict[str, str], told: str
) -> None:
    """Exit code 2, one line that says what is wrong, and nothing played."""
    ran = simulate("--games", "10", *words, **players)
    assert ran.code == 2
    assert told in ran.err
    assert "Traceback" not in ran.err
    assert "games played" not in ran.err
    assert ran.out == ""


def test_a_device_is_not_replaced_by_a_record(simulate: Simulate, tmp_path: Path) -> None:
    """Whatever is no plain file stays what it is, and no games are played for it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ran = simulate("--games", "10", "--record", str(pipe))
    assert ran.code == 2
    assert "is no plain file" in ran.err
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    "words",
    [("--games", "0"), ("--games", "x"), ("--games", "1000000000000"), ("--games", "5", "--seed", "-1"), ()],
)
def test_numbers_out_of_range_are_usage_errors(simulate: Simulate, words: tuple[str, ...]) -> None:
    """No games, too many, none given and a negative seed exit with 2."""
    assert simulate(*words).code == 2


def test_a_run_without_a_game_can_be_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Broken off before the first chunk came in, there is no estimate, but a document and a reason."""
    game = find_game("heap_nim")
    player = strategy_player("random", game)
    spec = make_spec(game, (player, player), games=10)
    finished = simulation_report.Finished(
        spec, Tally(), 0.95, "wilson", 0.0, 0, stopped=False, trouble="interrupted"
    )
    for as_json in (False, True):
        with pytest.raises(CliError, match="interrupted after 0 of 10"):
            simulation_report.report(finished, csv=None, as_json=as_json)
    out = capsys.readouterr().out
    assert "no games were played" in out
    assert '"first": null' in out
