"""Recorded games as columns: Parquet files of so many games each, written where the games are played.

Each part has games of a fixed range of indices, whoever plays it. So parts are written side by side, one that
is missing is played again, and all of a folder are read as one table. Only here pyarrow is imported, which
comes with the extra `parquet`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from engines.game import Game
from workers.core.errors import WorkerError
from workers.simulation.contract import GameLine, RowOf, SimulationSpec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from engines.kernels import Playouts

METADATA = b"bot_arena"
"""The key in a file's metadata below which stands, as JSON, which games these are."""

NOBODY = -1
"""The winner of a game that nobody won."""


class MissingParquetError(WorkerError):
    """pyarrow, which writes and reads Parquet, is not installed here; the message says how to get it."""


class Parts(NamedTuple):
    """Where the parts of a recording are written, and what a row of them is."""

    folder: Path
    rows: RowOf = RowOf.GAME

    def path(self, start: int) -> Path:
        """The file of the part that begins with game `start`."""
        return self.folder / f"part-{start:012d}.parquet"


def require_parquet() -> None:
    """See that Parquet can be written here.

    Raises:
        MissingParquetError: pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # noqa: F401, PLC0415 - 150 MB, for whoever records columns
    except ImportError:
        raise MissingParquetError(
            "Parquet is written by pyarrow, which is not installed here: install bot-arena[parquet], or"
            " record to a file that ends with .jsonl"
        ) from None


class PartWriter:
    """Writes the games of one part in their order; the file has its name once all of them are there.

    To be used in a with block. The games of each call are a row group, and in memory only meanwhile.
    """

    def __init__(self, parts: Parts, spec: SimulationSpec, game: Game[Any], start: int) -> None:
        require_parquet()
        self._path = parts.path(start)
        self._new = self._path.with_suffix(".new")
        self._rows = parts.rows
        self._spec = spec
        self._game = game
        self._texts: list[str] = []
        self._writer = _writer(self._new, spec, parts.rows)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the file its name, unless something went wrong."""
        self._writer.close()
        if kind is None:
            self._new.replace(self._path)
        else:
            self._new.unlink(missing_ok=True)

    def add_playouts(self, start: int, playouts: Playouts, reasons: Sequence[str]) -> None:
        """The games of a batch from index `start` on.

        `reasons` are what the ends of games are called: won, drawn, by repetition, by the ply limit.
        """
        import numpy as np  # noqa: PLC0415 - kernels have it
        import pyarrow as pa  # noqa: PLC0415 - as above

        from engines.kernels.columns import move_numbers, ply_columns  # noqa: PLC0415 - Numba

        if playouts.moves is None:
            raise ValueError("the kernel did not keep the moves")
        moves = self._named(pa.array(move_numbers(playouts, playouts.moves)), int(playouts.moves.max()))
        if self._rows is RowOf.PLY:
            games, plies, winners = ply_columns(playouts, start)
            self._write([games, plies, moves, winners])
            return
        count = len(playouts.plies)
        ends = np.where(playouts.ends > 0, playouts.ends + 1, playouts.winners < 0).astype(np.int32)
        indices = np.arange(start, start + count)
        seats = indices % 2 if self._spec.swap else np.zeros(count)
        scores = (np.ascontiguousarray(playouts.scores[:, seat]) for seat in (0, 1))
        reason = pa.DictionaryArray.from_arrays(pa.array(ends), pa.array(reasons))
        starts = np.concatenate(([0], np.cumsum(playouts.plies, dtype=np.int64)))
        self._write_games(indices, seats, playouts.winners, reason, *scores, playouts.plies, starts, moves)

    def add_lines(self, lines: Sequence[GameLine]) -> None:
        """Games that were played one by one."""
        import numpy as np  # noqa: PLC0415 - Parquet needs it
        import pyarrow as pa  # noqa: PLC0415 - as above

        plies = np.array([line.plies for line in lines], np.int32)
        indices = np.array([line.index for line in lines], np.int64)
        winners = np.array([NOBODY if line.winner is None else line.winner for line in lines], np.int8)
        moves = pa.array([move for line in lines for move in line.moves], pa.string()).dictionary_encode()
        if self._rows is RowOf.PLY:
            numbers = np.concatenate([np.arange(count, dtype=np.int32) for count in plies])
            self._write([np.repeat(indices, plies), numbers, moves, np.repeat(winners, plies)])
            return
        seats = np.array([line.seats.index(0) for line in lines])
        reason = pa.array([line.reason for line in lines]).dictionary_encode()
        scores = (np.array([line.score[seat] for line in lines]) for seat in (0, 1))
        starts = np.concatenate(([0], np.cumsum(plies, dtype=np.int64)))
        self._write_games(indices, seats, winners, reason, *scores, plies, starts, moves)

    def _named(self, numbers: pa.Array, most: int) -> pa.DictionaryArray:
        """The moves of these numbers, up to `most`, as texts."""
        import pyarrow as pa  # noqa: PLC0415 - as above

        self._texts += [self._game.move_to_text(number) for number in range(len(self._texts), most + 1)]
        return pa.DictionaryArray.from_arrays(numbers, pa.array(self._texts, pa.string()))

    def _write_games(self, *columns: Any) -> None:
        import pyarrow as pa  # noqa: PLC0415 - as above

        *scalars, starts, moves = columns
        kind = self._writer.schema.field("moves").type
        listed = pa.ListArray.from_arrays(pa.array(starts, pa.int32()), moves, type=kind)
        self._write([*scalars, listed])

    def _write(self, columns: Sequence[npt.NDArray[np.generic] | pa.Array]) -> None:
        import pyarrow as pa  # noqa: PLC0415 - as above

        schema = self._writer.schema
        arrays = [
            column
            if isinstance(column, pa.Array)
            else pa.array(column.astype(field.type.to_pandas_dtype(), copy=False))
            for column, field in zip(columns, schema, strict=True)
        ]
        table = pa.Table.from_arrays(arrays, schema=schema)
        self._writer.write_table(table, row_group_size=max(1, table.num_rows))


def schema_of(rows: RowOf) -> pa.Schema:
    """The columns, as docs/simulation.md describes them; none is ever empty."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    text = pa.dictionary(pa.int32(), pa.string())
    columns: dict[str, pa.DataType] = {
        "game": pa.int64(),
        "ply": pa.int32(),
        "move": text,
        "winner": pa.int8(),
    }
    if rows is RowOf.GAME:
        columns = {
            "index": pa.int64(),
            "first_seat": pa.int8(),
            "winner": pa.int8(),
            "reason": text,
            "score_0": pa.int32(),
            "score_1": pa.int32(),
            "plies": pa.int32(),
            "moves": pa.list_(pa.field("element", text, nullable=False)),
        }
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()])


def cut_off(parts: Parts, start: int, end: int) -> None:
    """Take the games from index `end` on out of the part that begins with game `start`."""
    import pyarrow.compute as pc  # noqa: PLC0415 - as above
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    path = parts.path(start)
    new = path.with_suffix(".new")
    with pq.ParquetFile(path) as file, _open(new, file.schema_arrow, parts.rows) as writer:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            kept = table.filter(pc.less(table.column(0), end))
            if kept.num_rows:
                writer.write_table(kept, row_group_size=kept.num_rows)
    new.replace(path)


def _writer(path: Path, spec: SimulationSpec, rows: RowOf) -> Any:
    about = {"simulation": spec.digest, "rows": rows, "spec": spec.model_dump(mode="json")}
    return _open(path, schema_of(rows).with_metadata({METADATA: json.dumps(about).encode()}), rows)


def _open(path: Path, schema: pa.Schema, rows: RowOf) -> Any:
    """Integers as they are, compressed; texts by dictionary: what is quick to write and read."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    texts = ["reason", "moves.list.element"] if rows is RowOf.GAME else ["move"]
    return pq.ParquetWriter(
        path, schema, compression="lz4", use_dictionary=texts, write_statistics=[schema.names[0]]
    )
