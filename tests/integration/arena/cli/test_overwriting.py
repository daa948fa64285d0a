"""No command replaces a file that it did not make itself, unless it is told to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.experiments.simulations import make_spec, strategy_player
from arena.local.errors import InputError
from arena.local.files import write_whole
from arena.local.game_file import GameFile
from engines.games import find_game
from tests.unit.arena.cli.conftest import Run, Simulate
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulationSpec


@pytest.fixture
def thesis(tmp_path: Path) -> Path:
    """A file that somebody needs, in a folder with nothing else."""
    path = tmp_path / "study" / "thesis.txt"
    path.parent.mkdir()
    path.write_text("years of work")
    return path


@pytest.mark.parametrize("option", ["--record", "--csv"])
def test_a_simulation_replaces_no_file(simulate: Simulate, thesis: Path, option: str) -> None:
    """It is refused before a game is played; with --force the file is replaced."""
    ran = simulate("--games", "20", option, str(thesis))
    assert (ran.code, ran.out) == (2, "")
    assert "is there already; name another file, or replace it with --force" in ran.err
    assert thesis.read_text() == "years of work"
    assert [path.name for path in thesis.parent.glob("*.part")] == []
    assert simulate("--games", "20", option, str(thesis), "--force").code == 0
    assert "years" not in thesis.read_text()


def test_a_whole_record_is_not_replaced_by_the_same_command(simulate: Simulate, tmp_path: Path) -> None:
    """Only a record that was broken off is gone on with."""
    words = ("--games", "20", "--record", str(tmp_path / "games.jsonl"))
    assert simulate(*words).code == 0
    assert simulate(*words).code == 2
    assert simulate(*words, "--fresh").code == 2


def test_a_page_does_not_replace_its_record(simulate: Simulate, run: Run, tmp_path: Path) -> None:
    """Also with --force, and also by another name."""
    record, link = tmp_path / "games.jsonl", tmp_path / "link.html"
    assert simulate("--games", "1", "--record", str(record)).code == 0
    before = record.read_text()
    link.symlink_to(record)
    for page in (record, link):
        refused = run("match", "show", f"{record}#1", "--html", str(page), "--force")
        assert (refused.code, "would replace the record itself" in refused.err) == (2, True)
    assert record.read_text() == before


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.part"])
def test_games_and_counts_need_two_files(simulate: Simulate, tmp_path: Path, name: str) -> None:
    """One file for both is refused before a game is played, also with --force."""
    record, csv = str(tmp_path / "games.jsonl"), str(tmp_path / name)
    ran = simulate("--games", "20", "--record", record, "--csv", csv, "--force")
    assert (ran.code, ran.out) == (2, "")
    assert "name two files" in ran.err
    assert list(tmp_path.glob("games*")) == []


def _spec(seed: int) -> SimulationSpec:
    game = find_game("heap_nim")
    player = strategy_player("random", game)
    return make_spec(game, (player, player), games=20, seed=seed, record_games=True)


@pytest.mark.parametrize("text", ["years of work", "{}\n{}\n"])
def test_a_part_that_is_something_else_is_left_alone(simulate: Simulate, tmp_path: Path, text: str) -> None:
    """Games on their way stand in FILE.part, which may be somebody's too."""
    part = tmp_path / "games.jsonl.part"
    part.write_text(text)
    words = ("--games", "20", "--record", str(tmp_path / "games.jsonl"))
    ran = simulate(*words)
    assert ran.code == 2
    assert "something else than games of this simulation" in ran.err
    assert part.read_text() == text
    assert simulate(*words, "--force").code == 0


def test_a_part_of_another_simulation_is_not_gone_on_with(tmp_path: Path) -> None:
    """However many games it holds, none of them is taken for one's own."""
    with GameFile(tmp_path / "games.jsonl", _spec(1)) as file:
        file.write(play_chunk(_spec(1), 0, 20, as_lines=True)[0].written)
    before = file.part.read_bytes()
    with pytest.raises(InputError, match="something else than games of this simulation"):
        GameFile(tmp_path / "games.jsonl", _spec(2))
    with GameFile(tmp_path / "games.jsonl", _spec(2), force=True) as other:
        assert not other.keep(20)
    assert file.part.read_bytes() == before
    with GameFile(tmp_path / "games.jsonl", _spec(1)) as again:
        assert again.keep(20)


def test_what_appears_meanwhile_is_not_replaced(thesis: Path, tmp_path: Path) -> None:
    """A file that is made while another of its name is computed stays; the games stay in FILE.part."""
    with pytest.raises(InputError, match="is there already"):
        write_whole(thesis, [b"other"])
    with GameFile(tmp_path / "games.jsonl", _spec(1)) as file:
        file.write(play_chunk(_spec(1), 0, 20, as_lines=True)[0].written)
        (tmp_path / "games.jsonl").write_text("years of work")
        with pytest.raises(InputError, match="is there already"):
            file.finish(20)
    assert (tmp_path / "games.jsonl").read_text() == thesis.read_text() == "years of work"
    assert len(file.part.read_bytes().splitlines()) == 20


@pytest.mark.parametrize(
    "words",
    [
        ("tournament", "export", "spring"),
        ("tournament", "report", "spring", "--csv"),
        ("experiment", "export", "1"),
    ],
    ids=" ".join,
)
def test_an_export_replaces_no_file(run: Run, thesis: Path, words: tuple[str, ...]) -> None:
    """It is refused before the arena is asked for anything."""
    ran = run(*words, "-o", str(thesis))
    assert ran.code == 2
    assert "is there already" in ran.err
    assert thesis.read_text() == "years of work"
    assert "is there already" not in run(*words, "-o", str(thesis), "--force").err


def test_a_report_needs_a_folder_of_its_own(run: Run, thesis: Path) -> None:
    """A folder that holds anything is refused, and nothing in it is touched."""
    ran = run("reproduce", "--document", "nim", "--out", str(thesis.parent))
    assert ran.code == 2
    assert "is not empty; name another folder, or add --force" in ran.err
    assert [path.name for path in thesis.parent.iterdir()] == ["thesis.txt"]


def test_match_run_adds_to_no_file_of_games(run: Run, simulate: Simulate, tmp_path: Path) -> None:
    """A file of simulated games is none that matches are added to."""
    record = tmp_path / "games.jsonl"
    assert simulate("--games", "3", "--record", str(record)).code == 0
    before = record.read_bytes()
    ran = run("match", "run", "@random", "@random", "--game", "heap_nim", "--record", str(record))
    assert ran.code == 2
    assert record.read_bytes() == before


@pytest.fixture
def games(simulate: Simulate, tmp_path: Path) -> Callable[..., Path]:
    """Records four games and tells the file."""

    def record(game: str, *words: str) -> Path:
        path = tmp_path / f"{game}.jsonl"
        assert simulate("--games", "4", "--swap", "--record", str(path), *words, game=game).code == 0
        return path

    return record


@pytest.mark.parametrize("game", ["circle_nim", "heap_nim", "l_game", "reversed_reversi", "rhombic_chess"])
def test_recorded_games_can_be_shown(run: Run, games: Callable[..., Path], game: str) -> None:
    """`match show` lists what `simulate --record` wrote, and draws a game of it, without any times."""
    record = games(game, *(("--size", "4") if game == "reversed_reversi" else ()))
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    listed = run("match", "show", str(record), "--json").json()["matches"]
    assert [(each["winner"], each["reason"], each["plies"]) for each in listed] == [
        (line["winner"], line["reason"], line["plies"]) for line in lines
    ]
    shown = run("match", "show", f"{record}#2", "--json").json()
    assert [each["move"] for each in shown["plies"][1:]] == lines[1]["moves"]
    assert {each["wall_ms"] for each in shown["plies"][1:]} == {None}
    words = run("match", "show", f"{record}#2")
    assert words.code == 0, words.err
    assert "simulated, without a clock" in words.out
    assert lines[1]["reason"] in words.out


@pytest.mark.usefixtures("time_to_start")
def test_a_recorded_game_can_be_asked_again(run: Run, games: Callable[..., Path]) -> None:
    """`match replay` puts a bot in a player's place."""
    record = games("heap_nim")
    ran = run("match", "replay", f"{record}#1", "--to", "@random", "--seat", "0", "--json")
    assert ran.code == 0, ran.err
    moves = json.loads(record.read_text().splitlines()[0])["moves"]
    assert [step["recorded"] for step in ran.json()["steps"]] == moves[::2]
