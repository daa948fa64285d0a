"""What `arena match annotate` keeps is shown and exported with the games."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet
import pytest

from arena.local.record_tables import moves
from engines.games import find_game
from tests.integration.arena.cli.small_record import SMALL, lines_of, small
from tests.integration.arena.plain_judge import WORDS, PlainJudge, sign
from tests.unit.arena.cli.conftest import Run

__all__ = ["small"]


def test_what_is_kept_is_shown_with_the_game(run: Run, small: Path) -> None:
    """Worth, best moves and what a move cost stand below the boards, and whole in the JSON."""
    plain = run("match", "show", f"{small}#1")
    assert run("match", "show", f"{small}#1", "--json").json()["analysis"] is None
    assert run("match", "annotate", str(small)).code == 0
    alone = run("match", "analyse", f"{small}#1", "--json").json()
    shown = run("match", "show", f"{small}#1")
    assert len(shown.out.splitlines()) > len(plain.out.splitlines())
    first = alone["positions"][0]
    line = f"for {alone['bots'][0]}, to move: {first['value']} ({first['margin']:+d}); best: "
    assert line + " ".join(first["best"]) in shown.out
    del alone["bots"]
    assert run("match", "show", f"{small}#1", "--json").json()["analysis"] == alone
    only = run("match", "show", f"{small}#1", "--ply", "0")
    assert line in only.out
    assert only.out.count("to move:") == 1


def test_who_lost_and_who_turned_a_game_is_said_in_whole_lines(run: Run, tmp_path: Path) -> None:
    """Below the last board stand the plain judge's seat, ply and move, of games that were lost and drawn."""
    path, judge = tmp_path / "games.jsonl", PlainJudge(find_game("reversed_reversi", {"size": 4}))
    players = ("--first", "random", "--second", "random", "--seed", "2", "-n", "20")
    openings = ("--openings", "10", "--opening-plies", "4")
    assert run("simulate", *SMALL, *players, *openings, "--record", str(path)).code == 0
    assert run("match", "annotate", str(path)).code == 0
    seen = set()
    for number, line in enumerate(lines_of(path), start=1):
        (turning, lost), moves = judge.story(line), line["moves"]
        for command, bots in (("show", ("random (1)", "random (2)")), ("analyse", ("random", "random"))):
            expected = ["nobody stood lost at the end"]
            if lost:
                by_ply = f"lost it by ply {lost[1]}, {moves[lost[1] - 1]}"
                expected = [f"{bots[lost[0]]} {by_ply if lost[1] else 'stood lost before it had a choice'}"]
            if turning and turning != lost:
                bot, ply = bots[turning[0]], turning[1]
                expected += [f"the last to give something away was {bot} at ply {ply}"]
            out = run("match", command, f"{path}#{number}").out.splitlines()
            assert out[-len(expected) :] == expected
            assert sum("give something away" in each for each in out) == len(expected) - 1
        seen.add((lost and lost[1] > 0, len(expected)))
    assert {(True, 1), (False, 1), (None, 2)} <= seen


def test_nobody_lost_a_game_that_nobody_lost(run: Run, tmp_path: Path) -> None:
    """Where a game was broken off, who stood lost is told apart from who lost, by both commands."""
    path = tmp_path / "broken.jsonl"
    game = ("heap_nim", "--heaps", "3,4,5", "--param", "misere=true")
    players = ("--first", "random", "--second", "random", "-n", "20", "--seed", "4", "--max-plies", "5")
    assert run("simulate", *game, *players, "--record", str(path)).code == 0
    assert run("match", "annotate", str(path)).code == 0
    broken = 0
    for number, line in enumerate(lines_of(path), start=1):
        for command in ("show", "analyse"):
            out = run("match", command, f"{path}#{number}").out
            told = "stood lost at the end, but that is not how the game ended" in out
            assert not (told and "lost it by ply" in out)
            assert told == (line["winner"] is None and "nobody stood lost" not in out)
            broken += told
    assert broken > 4


def test_what_is_kept_is_exported_with_every_move(run: Run, small: Path, tmp_path: Path) -> None:
    """Columns of plies have what positions were worth and moves cost; nothing before that is known."""
    (row, *_) = moves(small)
    assert [row[key] for key in ("value", "margin", "choice", "worse", "loss", "points")] == [None] * 6
    assert run("match", "annotate", str(small)).code == 0
    output = str(tmp_path / "moves.parquet")
    assert run("match", "export", str(small), "--by", "ply", "-o", output).code == 0
    judge = PlainJudge(find_game("reversed_reversi", {"size": 4}))
    plies = [ply for line in lines_of(small) for ply in judge.plies(line)]
    for row, ply in zip(pyarrow.parquet.read_table(output).to_pylist(), plies, strict=True):
        assert (row["value"], row["margin"]) == (WORDS[sign(ply.before)], judge.sign * ply.before)
        cost = (ply.choice, ply.worse, (sign(ply.before) - sign(ply.after)) / 2, ply.before - ply.after)
        told = tuple(row[key] for key in ("choice", "worse", "loss", "points"))
        assert told == (cost if ply.chosen else (None,) * 4)


@pytest.mark.parametrize("damage", ["mine\n", None])
def test_games_are_shown_without_annotations_that_cannot_be_read(
    run: Run, small: Path, tmp_path: Path, damage: str | None
) -> None:
    """Of a foreign file, and of a line cut in its midst, a note says so, and the rest is as without it."""
    plain = run("match", "show", f"{small}#1")
    assert run("match", "annotate", str(small)).code == 0
    kept = tmp_path / "games.annotated.jsonl"
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text(damage or "".join([lines[0][:200] + "\n", *lines[1:]]))
    note = f"line 1 of {kept} is no annotation of a game; move the file away to begin anew"
    shown = run("match", "show", f"{small}#1")
    assert (shown.code, shown.out, shown.err.splitlines()) == (0, plain.out, [note])
    output = tmp_path / "moves.parquet"
    exported = run("match", "export", str(small), "--by", "ply", "-o", str(output))
    assert (exported.code, exported.err.splitlines()[0]) == (0, note)
    assert exported.err.count(note) == 1
    rows = pyarrow.parquet.read_table(output).to_pylist()
    assert {row["value"] for row in rows if row["number"] == 1} == {None}
    assert {row["value"] is None for row in rows if row["number"] > 1} == {damage is not None}
    with pytest.warns(UserWarning, match="is no annotation"):
        assert [row["value"] for row in moves(small)] == [row["value"] for row in rows]
    refused = run("match", "annotate", str(small))
    assert (refused.code, refused.out) == (2, "")
    assert note in refused.err


@pytest.mark.parametrize(
    "words",
    [
        ("match", "show"),
        ("match", "annotate"),
        ("match", "export", "-o", "games.parquet"),
        ("match", "export", "--by", "ply", "-o", "games.parquet"),
        ("pgn", "ratings"),
    ],
    ids=" ".join,
)
def test_all_games_but_one_that_was_cut_off_are_read(run: Run, small: Path, words: tuple[str, ...]) -> None:
    """A note says, once, which is left out; the others are listed, judged, exported and rated as before."""
    whole = run(*words, str(small))
    (small.parent / "games.parquet").unlink(missing_ok=True)
    with small.open("a") as file:
        file.write(small.read_text()[:100])
    torn = run(*words, str(small))
    assert (torn.code, torn.out) == (0, whole.out)
    assert torn.err.count(f"{small}#13 was cut off in being written, and is left out\n") == 1
