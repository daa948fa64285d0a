"""`arena simulate --record FILE.parquet`, here and from the workers."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from arena.client.http import ArenaClient
from arena.experiments.simulations import make_spec, strategy_player, summarise
from arena.schemas.experiments import ExperimentOut, ExperimentResults
from engines.game import Game
from engines.games import find_game
from tests.unit.arena.cli.conftest import Run, Simulate
from tests.unit.arena.cli.fake_api import FakeApi, api, sample
from workers.simulation import chunks
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulationSpec
from workers.simulation.parts import Parts, PartWriter

__all__ = ["api"]

GAMES = 300


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "COMPILED_PART", 64)


def test_columns_have_what_lines_have(simulate: Simulate, tmp_path: Path) -> None:
    """The same command with another name writes the same games, and prints the same numbers."""
    words = ("--games", str(GAMES), "--swap", "--seed", "3", "--json")
    told = []
    for name in ("games.jsonl", "games.parquet"):
        ran = simulate(*words, "--record", str(tmp_path / name))
        assert ran.code == 0, ran.err
        told.append({key: value for key, value in ran.json().items() if key != "run"})
    assert told[0] == told[1]
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    rows = pq.read_table(tmp_path / "games.parquet").to_pylist()
    assert [(row["index"], row["moves"], row["plies"], row["reason"]) for row in rows] == [
        (line["index"], line["moves"], line["plies"], line["reason"]) for line in lines
    ]
    assert sorted(path.name for path in (tmp_path / "games.parquet").iterdir()) == [
        f"part-{start:012d}.parquet" for start in range(0, GAMES, 64)
    ]
    assert not (tmp_path / "games.parquet.part").exists()


def test_a_narrow_interval_ends_the_recording_too(simulate: Simulate, tmp_path: Path) -> None:
    """The columns have just the games that were counted, a row a ply."""
    record = tmp_path / "games.parquet"
    words = ("--games", "100000", "--stop-when-ci", "0.02", "--record", str(record), "--record-by", "ply")
    ran = simulate(*words, "--json")
    counted = ran.json()["games"]
    assert counted % 1000 == 0
    assert counted < 100_000
    table = pq.read_table(record)
    assert (table["game"][-1].as_py(), table.num_rows) == (counted - 1, ran.json()["tally"]["plies"])


def _failing_from(game: int) -> Any:
    begin = PartWriter.__init__

    def beginning(self: PartWriter, parts: Parts, spec: SimulationSpec, rules: Game[Any], start: int) -> None:
        if start >= game:
            raise OSError(28, "No space left on device")
        begin(self, parts, spec, rules, start)

    return beginning


def test_what_was_broken_off_goes_on(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts that are there are kept, the others are played, and the whole is that of one go."""
    record, again = tmp_path / "games.parquet", tmp_path / "again.parquet"
    words = ("--games", str(GAMES), "--jobs", "1")
    before = PartWriter.__init__
    monkeypatch.setattr(PartWriter, "__init__", _failing_from(128))
    full = simulate(*words, "--record", str(record))
    assert (full.code, "No space left on device" in full.err) == (1, True), full.err
    monkeypatch.setattr(PartWriter, "__init__", before)
    ran = simulate(*words, "--record", str(record))
    assert re.search("going on after (64|128) of 300 games", ran.err), ran.err
    assert simulate(*words, "--record", str(again)).code == 0
    assert pq.read_table(record).equals(pq.read_table(again))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--record-by", "ply"), "--record-by ply needs --record FILE.parquet"),
        (("--record", "g.jsonl", "--record-by", "ply"), "--record-by ply needs --record FILE.parquet"),
        (("--record", "g.parquet", "--chunk", "10"), "leave out --chunk"),
        (("--record", "there.parquet"), "there.parquet is there already"),
        (("--record", "there.parquet", "--force"), "something else than recorded games"),
        (("--record", "nowhere/g.parquet"), "its folder does not exist"),
        (("--record", "there.parquet", "--on", "workers"), "there.parquet is there already"),
        (("--record", "nowhere/g.parquet", "--on", "workers"), "its folder does not exist"),
    ],
)
def test_what_cannot_be_recorded_is_refused(
    simulate: Simulate, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    """Before any game is played, with what to do instead; and nothing of anybody's is removed."""
    mine = tmp_path / "there.parquet"
    mine.mkdir()
    (mine / "my.txt").write_text("mine")
    ran = simulate("--games", "10", *words)
    assert (ran.code, says in ran.err) == (2, True), ran.err
    assert (mine / "my.txt").read_text() == "mine"


@pytest.mark.parametrize("place", ["here", "workers"])
def test_without_pyarrow_no_columns_are_recorded(
    simulate: Simulate, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """It is said before any game is played, wherever that would be."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    ran = simulate("--games", "10", "--record", "g.parquet", "--on", place)
    assert (ran.code, "install bot-arena[parquet]" in ran.err) == (2, True), ran.err


def test_another_simulations_parts_are_left_alone(simulate: Simulate, tmp_path: Path) -> None:
    """Neither games that are whole nor those that were begun are replaced without --force."""
    record = tmp_path / "g.parquet"
    words = ("--games", "100", "--record", str(record))
    assert simulate(*words).code == 0
    assert simulate(*words).code == 2
    shutil.copytree(record, tmp_path / "g.parquet.part")
    shutil.rmtree(record)
    begun = simulate(*words)
    assert (begun.code, "holds games of another simulation" in begun.err) == (2, True)
    assert simulate(*words, "--force").code == 0
    assert pq.read_table(record).num_rows == 100


def test_workers_parts_come_into_one_folder(
    run: Run, api: FakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts of the games that are done are fetched, and what was played beyond them is left out."""
    game = find_game("heap_nim")
    players = (strategy_player("random", game), strategy_player("xor", game))
    spec = make_spec(game, players, games=200, seed=3)
    written = Parts(tmp_path / "written")
    written.folder.mkdir()
    for start in (0, 64):
        recorded = spec.model_copy(update={"record_games": True})
        play_chunk(recorded, start, 64, cut=0, parts=written)
    tally = play_chunk(spec, 0, 100, cut=0)[0].tally
    over: dict[str, Any] = sample(
        ExperimentOut,
        id=1,
        state="finished",
        games=200,
        done=100,
        recorded=100,
        chunk=64,
        game=spec.game,
        players=spec.players,
        columns="game",
        result=summarise(spec, tally),
    )
    api.answers["POST", "/experiments"] = api.answers["GET", "/experiments/1"] = over
    api.answers["GET", "/experiments/1/results"] = sample(
        ExperimentResults, id=1, result=summarise(spec, tally)
    )
    monkeypatch.setattr(
        ArenaClient, "recorded_part", lambda _self, _number, start: iter([written.path(start).read_bytes()])
    )
    words = ("heap_nim", "--first", "random", "--second", "xor", "-n", "200", "--on", "workers")
    ran = run("simulate", *words, "--record", "g.parquet")
    assert ran.code == 0, ran.err
    assert api.sent(0)["columns"] == "game"
    assert pq.read_table("g.parquet")["index"].to_pylist() == list(range(100))
    exported = run("experiment", "export", "1", "--format", "parquet", "-o", "e.parquet", "--json")
    assert exported.json()["bytes"] > 0
    assert pq.read_table("e.parquet").equals(pq.read_table("g.parquet"))
    assert run("experiment", "export", "1", "--format", "parquet").code == 2


def test_lines_are_kept_whoever_plays_and_columns_of_players_by_name(run: Run, api: FakeApi) -> None:
    """FILE.jsonl asks the workers for lines, as teams may; FILE.parquet of a bot is refused unasked."""
    api.answers["POST", "/experiments"] = {"detail": "no"}
    words = ("simulate", "heap_nim", "--second", "xor", "-n", "200", "--on", "workers", "--record")
    for player in ("random", "bot:one"):
        run(*words, "g.jsonl", "--first", player)
    sent = [api.sent(number) for number in (0, 1)]
    assert [(each["record_games"], "columns" in each) for each in sent] == [(True, False)] * 2
    refused = run(*words, "g.parquet", "--first", "bot:one")
    assert (refused.code, "ends with .jsonl, not g.parquet" in refused.err) == (2, True)
    assert len(api.asked) == len(sent)
