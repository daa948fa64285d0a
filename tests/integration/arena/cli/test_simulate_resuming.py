"""Simulations that are broken off and go on."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.cli.simulate import here
from arena.experiments.simulations import make_spec, strategy_player
from arena.local.errors import LocalError
from arena.local.game_file import GameFile
from engines.games import find_game
from tests.unit.arena.cli.conftest import Run, Simulate
from workers.simulation.chunks import play_chunk
from workers.simulation.journal import Journal


def test_a_full_disk_leaves_no_part_without_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not even the first games have room, nothing stays of the file that was to hold them."""
    game = find_game("heap_nim")
    player = strategy_player("random", game)
    spec = make_spec(game, (player, player), games=20, seed=1, record_games=True)
    full = OSError(errno.ENOSPC, "No space left on device")
    told = pytest.raises(LocalError, match=r"games\.jsonl\.part cannot be written: No space left")
    with told, GameFile(tmp_path / "games.jsonl", spec) as file:
        assert file.keep(0)
        monkeypatch.setattr(file, "_file", Mock(wraps=file._file, write=Mock(side_effect=full)))
        file.write(b"{}\n")
    assert [*tmp_path.iterdir()] == []


@pytest.fixture
def ctrl_c(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Has Ctrl-C pressed as soon as so many games are played; 0 for never."""

    def after(games: int) -> None:
        @contextlib.contextmanager
        def showing(*_: int) -> Iterator[Callable[[int], None]]:
            def show(done: int) -> None:
                if games and done >= games:
                    os.kill(os.getpid(), signal.SIGINT)

            yield show

        monkeypatch.setattr(here, "showing", showing)

    return after


def _begun(simulate: Simulate, folder: Path, ctrl_c: Callable[[int], None]) -> tuple[Path, tuple[str, ...]]:
    """The record of a simulation that was broken off at its 500th game, and the words that go on with it."""
    record = folder / "games.jsonl"
    words = ("--games", "2000", "--chunk", "100", "--jobs", "1", "--record", str(record), "--json")
    ctrl_c(500)
    simulate(*words)
    return record, words


@pytest.mark.parametrize("recorded", [False, True])
def test_the_same_command_goes_on(
    simulate: Simulate, ctrl_c: Callable[[int], None], journals: Path, tmp_path: Path, recorded: bool
) -> None:
    """After Ctrl-C there is a partial result; the same command plays the rest, to the same numbers."""
    jobs = "1" if recorded else "2"  # what is recorded is kept in order only, and two jobs may leave nothing
    words = ["--games", "4000", "--swap", "--chunk", "200", "--jobs", jobs, "--json"]
    words += ["--record", str(tmp_path / "games.jsonl")] if recorded else []
    ctrl_c(1000)
    broken = simulate(*words)
    assert broken.code == 1
    assert "the same command goes on from there" in broken.err
    assert broken.json()["interrupted"]
    assert broken.json()["games"] < 4000
    assert len(list(journals.glob("*.journal"))) == 1
    ctrl_c(0)
    whole = simulate(*words)
    assert whole.code == 0, whole.err
    assert "going on after" in whole.err
    assert whole.json()["run"]["games"] < 4000
    assert list(journals.iterdir()) == []
    fresh = simulate(*words, "--fresh", "--force").json()
    assert fresh["tally"] == whole.json()["tally"]
    assert fresh["run"]["games"] == 4000
    if recorded:
        lines = (tmp_path / "games.jsonl").read_text().splitlines()
        assert [json.loads(line)["index"] for line in lines] == list(range(4000))


def test_a_run_can_begin_anew(simulate: Simulate, ctrl_c: Callable[[int], None]) -> None:
    """With --fresh what was played before is not used."""
    ctrl_c(500)
    words = ("--games", "2000", "--chunk", "100", "--jobs", "2", "--json")
    assert simulate(*words).code == 1
    ctrl_c(0)
    ran = simulate(*words, "--fresh")
    assert "going on" not in ran.err
    assert ran.json()["run"]["games"] == 2000


def test_a_damaged_journal_is_told_of_and_not_used(
    simulate: Simulate, ctrl_c: Callable[[int], None], journals: Path
) -> None:
    """The simulation begins anew, and says why."""
    ctrl_c(500)
    words = ("--games", "2000", "--chunk", "100", "--jobs", "2", "--json")
    simulate(*words)
    (journal,) = journals.glob("*.journal")
    journal.write_text("rubbish")
    ctrl_c(0)
    ran = simulate(*words)
    assert ran.code == 0
    assert "is damaged; beginning anew" in ran.err
    assert ran.json()["run"]["games"] == 2000


def test_a_record_that_is_gone_is_written_anew(
    simulate: Simulate, ctrl_c: Callable[[int], None], tmp_path: Path
) -> None:
    """The journal alone does not do where the games are wanted too."""
    record, words = _begun(simulate, tmp_path, ctrl_c)
    record.with_name("games.jsonl.part").unlink()
    ctrl_c(0)
    ran = simulate(*words)
    assert "does not hold what was played before (" in ran.err  # a chunk more may be over by then
    assert ran.json()["run"]["games"] == 2000
    assert len(record.read_text().splitlines()) == 2000


@pytest.mark.parametrize("cut", [1, 200])
def test_a_torn_line_is_written_again(
    simulate: Simulate, tmp_path: Path, ctrl_c: Callable[[int], None], cut: int
) -> None:
    """Whatever of the first line a crash left on the disk, it is this simulation's."""
    record, words = _begun(simulate, tmp_path, ctrl_c)
    part = record.with_name("games.jsonl.part")
    part.write_bytes(part.read_bytes()[:cut])
    ctrl_c(0)
    ran = simulate(*words)
    assert ran.code == 0, ran.err
    assert len(record.read_text().splitlines()) == 2000


def test_a_line_that_was_harmed_is_not_gone_on_from(
    simulate: Simulate, tmp_path: Path, ctrl_c: Callable[[int], None]
) -> None:
    """Whatever changed within a game that was written, the record begins anew and is right in the end."""
    record, words = _begun(simulate, tmp_path, ctrl_c)
    part = record.with_name("games.jsonl.part")
    harmed = bytearray(part.read_bytes())
    place = harmed.index(b'"winner":', len(harmed) // 2) + 9
    harmed[place] ^= 1
    part.write_bytes(harmed)
    ctrl_c(0)
    ran = simulate(*words)
    assert "games.jsonl.part does not hold what was played before (" in ran.err
    whole = record.read_bytes()
    assert simulate(*words, "--force").code == 0
    assert record.read_bytes() == whole


def test_what_an_earlier_version_began_goes_on(
    simulate: Simulate, tmp_path: Path, ctrl_c: Callable[[int], None], journals: Path
) -> None:
    """A journal that does not tell what its games were is believed as before."""
    record, words = _begun(simulate, tmp_path, ctrl_c)
    (journal,) = journals.glob("*.journal")
    kept = json.loads(journal.read_text().partition("\n")[2])
    assert kept.pop("recorded") > 0
    text = json.dumps(kept)
    journal.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}")
    ctrl_c(1200)
    assert "going on after" in simulate(*words).err
    ctrl_c(0)
    ran = simulate(*words)
    assert (ran.code, ran.err.count("going on after"), ran.err.count("beginning anew")) == (0, 1, 0)
    assert len(record.read_text().splitlines()) == 2000


def test_a_full_disk_loses_no_game(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be written is not counted as played, so that the next run goes on before it."""
    record, written, write = tmp_path / "games.jsonl", [0], GameFile.write

    def full(file: GameFile, lines: bytes) -> None:
        written[0] += lines.count(b"\n")
        if written[0] > 1000:
            raise LocalError("no space is left")
        write(file, lines)

    words = ("--games", "2000", "--chunk", "100", "--jobs", "1", "--record", str(record), "--json")
    monkeypatch.setattr(GameFile, "write", full)
    assert simulate(*words).code == 1
    monkeypatch.setattr(GameFile, "write", write)
    ran = simulate(*words)
    begun = re.search(r"going on after ([\d,]+) of 2,000 games", ran.err)
    assert begun is not None, ran.err
    assert int(begun[1].replace(",", "")) <= 1000
    assert [json.loads(line)["index"] for line in record.read_text().splitlines()] == list(range(2000))


def test_the_same_simulation_runs_once_at_a_time(simulate: Simulate, journals: Path) -> None:
    """While another process is at it, the command says so and exits with 1."""
    game = find_game("heap_nim")
    player = strategy_player("random", game)
    with Journal(journals, make_spec(game, (player, player), games=50)):
        ran = simulate("--games", "50")
    assert ran.code == 1
    assert "another process is at this simulation" in ran.err


def test_two_simulations_do_not_write_one_file(simulate: Simulate, tmp_path: Path) -> None:
    """While one writes its games to a file, another with the same file exits with 1 and touches nothing."""
    record = tmp_path / "games.jsonl"
    game = find_game("heap_nim")
    player = strategy_player("random", game)
    spec = make_spec(game, (player, player), games=50, record_games=True)
    with GameFile(record, spec) as file:
        file.write(play_chunk(spec, 0, 1, as_lines=True)[0].written)
        before = file.part.read_bytes()
        ran = simulate("--games", "50", "--record", str(record))
        assert ran.code == 1
        assert "another process is writing" in ran.err
        assert file.part.read_bytes() == before != b""
    assert simulate("--games", "50", "--record", str(record)).code == 0
    assert len(record.read_text().splitlines()) == 50


def test_another_folder_can_be_named(simulate: Simulate, tmp_path: Path) -> None:
    """--journal names the folder; one that cannot be is an error, while the usual one can be done without."""
    assert simulate("--games", "10", "--journal", str(tmp_path / "mine")).code == 0
    assert (tmp_path / "mine").is_dir()
    (tmp_path / "file").touch()
    ran = simulate("--games", "10", "--journal", str(tmp_path / "file" / "sub"))
    assert ran.code == 2
    assert "no journal can be kept" in ran.err


def test_without_a_state_folder_it_plays_all_the_same(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be written there is a note, and a result."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    ran = run("simulate", "heap_nim", "--first", "random", "--second", "random", "--games", "10", "--json")
    assert ran.code == 0
    assert "no journal can be kept" in ran.err
    assert ran.json()["games"] == 10
