"""Files of annotations: torn, of something else, and held by another process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.local.analysis import Analysed
from arena.local.annotations import (
    BEGINNING,
    Annotation,
    KeptBeside,
    annotation_file,
    beside,
    digest_of,
    read_annotations,
)
from arena.local.errors import InputError, LocalError
from workers.core.contract import BotRef, GameSpec, MatchRecord, MatchResult, MatchSpec, MoveRecord

SPEC = MatchSpec(
    match="game-1",
    game=GameSpec(name="heap_nim", params={"heaps": [1, 2]}, version=1),
    bots=(BotRef(name="one"), BotRef(name="other")),
)
MOVES = ("1:1", "2:2")
NOTHING = Analysed(plies=2, unsolved="why", positions=(), turning=None, lost=None)


def annotation(moves: tuple[str, ...] = MOVES) -> Annotation:
    """Of a game of these moves."""
    digest = digest_of(SPEC, moves)
    return Annotation(digest=digest, game=SPEC.game, opening=0, moves=moves, analysis=NOTHING)


def record(spec: MatchSpec = SPEC) -> MatchRecord:
    """A match of that spec with the two moves."""
    moves = tuple(MoveRecord(ply=ply, seat=0, move=move) for ply, move in enumerate(MOVES))
    result = MatchResult(match=spec.match, winner=1, reason="last_object", score=(0, 1), moves=moves)
    return MatchRecord(spec=spec, result=result)


def kept_beside(games: Path) -> KeptBeside:
    """What is kept beside a record file, where nothing may be wrong with it."""
    return KeptBeside(games, pytest.fail)


def test_a_file_stands_beside_its_record() -> None:
    """The ending of a record takes a word before it; a file of another name gets the whole ending."""
    assert beside(Path("a/games.jsonl")) == Path("a/games.annotated.jsonl")
    assert beside(Path("games.old")) == Path("games.old.annotated.jsonl")


@pytest.mark.parametrize("kept", [1, len(BEGINNING) - 1, 200])
def test_a_torn_line_is_cut_off(tmp_path: Path, kept: int) -> None:
    """Whatever a killed process left of a line is no annotation, and the next one stands in its place."""
    path = tmp_path / "games.annotated.jsonl"
    one, other = annotation(), annotation(MOVES[:1])
    path.write_text(one.model_dump_json() + "\n" + other.model_dump_json()[:kept])
    assert list(read_annotations(path)) == [one]
    with annotation_file(path) as file:
        assert file.digests == {one.digest}
        file.add(other)
    assert path.read_text() == f"{one.model_dump_json()}\n{other.model_dump_json()}\n"


@pytest.mark.parametrize("text", ["a letter", '{"spec":{}}\n', '{"digest":"0"}\n', '{"digest":[\n{"digest"'])
def test_what_is_no_annotation_is_left_alone(tmp_path: Path, text: str) -> None:
    """A file of something else is refused with the line, and stays as it is."""
    path = tmp_path / "letter"
    path.write_text(text)
    with pytest.raises(InputError, match=r"line 1 of .* is no annotation"), annotation_file(path):
        pass
    assert path.read_text() == text


def test_a_full_disk_is_told_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that has no room is refused with the name of the file."""
    path = tmp_path / "games.annotated.jsonl"
    with annotation_file(path) as file:
        monkeypatch.setattr(os, "write", lambda _, text: len(text) - 1)
        with pytest.raises(LocalError, match=r"games\.annotated\.jsonl cannot be written: No space left"):
            file.add(annotation())


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    """Who comes second is refused, as long as the first has it."""
    path = tmp_path / "games.annotated.jsonl"
    with annotation_file(path), pytest.raises(LocalError, match="another process"), annotation_file(path):
        pass
    with annotation_file(path):
        pass


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A file in a folder that does not exist is refused."""
    with pytest.raises(InputError, match="cannot be written"), annotation_file(tmp_path / "no" / "file"):
        pass


def test_a_game_is_known_by_what_its_analysis_depends_on(tmp_path: Path) -> None:
    """Who played it, with which clock, does not matter; its rules, its moves and its opening do."""
    games = tmp_path / "games.jsonl"
    assert kept_beside(games).find(record()) is None
    with annotation_file(beside(games)) as file:
        file.add(annotation())
    assert kept_beside(games).find(record()) == annotation()
    others = SPEC.model_copy(update={"bots": SPEC.bots[::-1], "match": "game-2", "seeds": (1, 2)})
    assert kept_beside(games).find(record(others)) == annotation()
    misere = SPEC.model_copy(update={"game": GameSpec(name="heap_nim", params={"heaps": [1, 3]}, version=1)})
    opened = SPEC.model_copy(update={"opening": MOVES[:1]})
    assert kept_beside(games).find(record(misere)) is None
    assert kept_beside(games).find(record(opened)) is None


def test_one_line_is_found_among_others(tmp_path: Path) -> None:
    """Whichever it is, also before a torn one; a file of something else is refused with the line."""
    games, path = tmp_path / "games.jsonl", tmp_path / "games.annotated.jsonl"
    others = [annotation((str(number),)) for number in range(3)]
    lines = [each.model_dump_json() + "\n" for each in (*others, annotation())]
    path.write_text("".join(lines) + lines[0][:90])
    assert kept_beside(games).find(record()) == annotation()
    path.write_text("".join(lines[:3]) + lines[3][:-1])
    assert kept_beside(games).find(record()) is None
    path.write_text("".join(lines[:3]) + "a letter\n")
    told = list[str]()
    assert KeptBeside(games, told.append).find(record()) is None
    assert [each.startswith(f"line 4 of {path} is no annotation") for each in told] == [True]
