"""Recorded games as columns."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from engines.games import find_game
from engines.openings import balanced_openings
from tests.integration.workers.simulation.test_chunks import COMPILED
from tests.unit.workers.simulation.specs import spec_of
from workers.simulation import chunks, compiled
from workers.simulation.chunks import (
    COMPILED_PART,
    PLAIN_PART,
    REFEREED_PART,
    games_in_part,
    kernel_of,
    play_chunk,
)
from workers.simulation.contract import RowOf, SimulationSpec
from workers.simulation.parts import METADATA, MissingParquetError, Parts, PartWriter, cut_off, schema_of
from workers.simulation.plain import game_of
from workers.simulation.runner import simulate


def rows_of(spec: SimulationSpec, folder: Path, row: RowOf, **way: Any) -> list[dict[str, Any]]:
    """The rows of all games of `spec` in a part of their own."""
    folder.mkdir()
    play_chunk(spec, 0, spec.games, cut=0, parts=Parts(folder, row), **way)
    table = pq.read_table(folder)
    assert table.schema.equals(schema_of(row))
    return list(table.to_pylist())


def expected(spec: SimulationSpec, row: RowOf) -> list[dict[str, Any]]:
    """The same, from the lines of the games."""
    (block,) = play_chunk(spec, 0, spec.games, cut=0, plain=True)
    winners = [-1 if line.winner is None else line.winner for line in block.games]
    if row is RowOf.GAME:
        return [
            {
                "index": line.index,
                "first_seat": line.seats.index(0),
                "winner": winner,
                "reason": line.reason,
                "score_0": line.score[0],
                "score_1": line.score[1],
                "plies": line.plies,
                "moves": list(line.moves),
            }
            for line, winner in zip(block.games, winners, strict=True)
        ]
    return [
        {"game": line.index, "ply": ply, "move": move, "winner": winner}
        for line, winner in zip(block.games, winners, strict=True)
        for ply, move in enumerate(line.moves)
    ]


@pytest.mark.parametrize("row", RowOf)
@pytest.mark.parametrize("told", COMPILED.values(), ids=COMPILED)
def test_columns_have_the_games_of_the_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any], row: RowOf
) -> None:
    """By kernel and by the rules, in several batches, a part has just the games that lines have."""
    monkeypatch.setattr(chunks, "PLAIN_PART", 24)
    monkeypatch.setattr(compiled, "RECORDED_AT_ONCE", 32)
    spec = spec_of(games=100, swap=True, record_games=True, **told)
    wanted = expected(spec, row)
    assert rows_of(spec, tmp_path / "kernel", row) == wanted
    assert rows_of(spec, tmp_path / "rules", row, plain=True) == wanted


@pytest.mark.parametrize(
    ("told", "games"),
    [
        ({"game": "circle_nim", "params": {"rows": 4}}, COMPILED_PART),
        ({"game": "circle_nim", "params": {"rows": 4}, "first": "algo3:100"}, COMPILED_PART),
        ({"game": "circle_nim", "params": {"rows": 4}, "first": "algo3_vs_hum:100"}, PLAIN_PART),
        ({"game": "l_game", "first": "learner"}, PLAIN_PART),
        ({"game": "l_game", "first": ("a", "command")}, REFEREED_PART),
    ],
)
def test_a_part_has_as_many_games_as_are_played_in_a_moment(told: dict[str, Any], games: int) -> None:
    """A game may have a kernel that does not have these players."""
    spec = spec_of(**told)
    assert games_in_part(spec) == games
    if all(player.strategy for player in spec.players):
        assert (kernel_of(spec, game_of(spec)) is not None) == (games == COMPILED_PART)


def test_games_that_are_played_one_by_one_are_in_memory_for_a_piece_of_their_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the part is, the writer is given few at a time, and the blocks are the same."""
    monkeypatch.setattr(chunks, "PLAIN_PART", 32)
    given, add = list[int](), PartWriter.add_lines

    def counted(writer: PartWriter, lines: Any) -> None:
        given.append(len(lines))
        add(writer, lines)

    monkeypatch.setattr(PartWriter, "add_lines", counted)
    spec = spec_of(games=100, swap=True, record_games=True)
    blocks = play_chunk(spec, 0, 100, cut=50, plain=True, parts=Parts(tmp_path))
    assert given == [32, 18, 14, 32, 4]
    bare = spec.model_copy(update={"record_games": False})
    assert blocks == play_chunk(bare, 0, 100, cut=50, plain=True)


def test_parts_and_chunks_have_each_their_size(tmp_path: Path) -> None:
    """Whoever asks for both is told that it cannot be."""
    with pytest.raises(ValueError, match="size of their own"):
        simulate(spec_of(games=10, record_games=True), chunk=4, parts=Parts(tmp_path))


def test_openings_are_recorded_with_the_rest(tmp_path: Path) -> None:
    """A game from an opening has its moves too."""
    openings = balanced_openings(find_game("heap_nim"), 3, 2, 1)
    spec = spec_of(games=12, swap=True, openings=openings, record_games=True)
    assert rows_of(spec, tmp_path / "parts", RowOf.GAME) == expected(spec, RowOf.GAME)


def test_a_part_says_what_it_is_of(tmp_path: Path) -> None:
    """The spec and its digest stand in the file's metadata, so that the games can be played again."""
    spec = spec_of(games=10, record_games=True)
    rows_of(spec, tmp_path / "parts", RowOf.PLY)
    about = json.loads(pq.read_schema(tmp_path / "parts" / "part-000000000000.parquet").metadata[METADATA])
    assert (about["simulation"], about["rows"]) == (spec.digest, "ply")
    assert SimulationSpec.model_validate(about["spec"]) == spec


@pytest.mark.parametrize("row", RowOf)
def test_a_part_is_cut_off_at_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: RowOf) -> None:
    """What is left is what was there before, over the borders of batches."""
    monkeypatch.setattr(compiled, "RECORDED_AT_ONCE", 32)
    spec = spec_of(games=100, record_games=True)
    parts = Parts(tmp_path / "parts", row)
    before = rows_of(spec, parts.folder, row)
    cut_off(parts, 0, 41)
    after = pq.read_table(parts.folder).to_pylist()
    assert after == [each for each in before if each["index" if row is RowOf.GAME else "game"] < 41]
    assert [path.name for path in parts.folder.iterdir()] == ["part-000000000000.parquet"]


def test_a_part_that_is_not_finished_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where playing fails there is no file that could be taken for a part."""

    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(compiled.CompiledPath, "_block", broken)
    with pytest.raises(MemoryError):
        play_chunk(spec_of(games=10, record_games=True), 0, 10, parts=Parts(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else works without it; who asks for columns is told what is missing."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingParquetError, match=r"bot-arena\[parquet\]"):
        play_chunk(spec_of(games=10, record_games=True), 0, 10, parts=Parts(tmp_path))


@pytest.mark.parametrize("plain", [False, True])
def test_jobs_change_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: bool) -> None:
    """In threads and in processes the parts are those of one job, byte for byte."""
    monkeypatch.setattr("workers.simulation.runner.games_in_part", lambda _: 64)
    spec = spec_of(games=200, swap=True, record_games=True)
    files = []
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        totals = simulate(spec, jobs=jobs, parts=Parts(folder), plain=plain)
        assert totals.tally.games == 200
        files.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert files[0] == files[1]
    assert sorted(files[0]) == [f"part-{start:012d}.parquet" for start in (0, 64, 128, 192)]
