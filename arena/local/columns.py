"""Rows as a table of columns for other programs: an Arrow table, a data frame, a Parquet file.

pyarrow, which makes all of these, is imported where one is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.local.files import require_place, write_whole

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

ROWS_AT_ONCE = 10_000
"""Rows of a group in a file, and of what is in memory while it is written."""

Row = tuple[object, ...]


@dataclass(frozen=True)
class Table:
    """Rows below named columns.

    `kinds` has for each column its type in Arrow's words, such as ``int64``, ``double``, ``string`` and
    ``list<string>``; where it ends with ``?`` a row may have nothing there. `rows` gives the rows, anew each
    time that it is called.
    """

    kinds: Mapping[str, str]
    rows: Callable[[], Iterable[Row]]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Each row by the names of its columns."""
        return (dict(zip(self.kinds, row, strict=True)) for row in self.rows())

    def to_arrow(self) -> pa.Table:
        """All rows as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_batches(self._batches(), schema=self._schema())

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a data frame of pandas, which has to be installed."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def write_parquet(self, path: str | Path, *, force: bool = False) -> int:
        """Write a Parquet file that appears only when all of it is there; returns its bytes.

        Raises:
            InputError: it cannot be written, or is there already and `force` does not say to replace it.
        """
        path = Path(path)
        require_place(path, force=force)
        return write_whole(path, self.parquet(), force=force)

    def parquet(self) -> Iterator[bytes]:
        """The pieces of a Parquet file, made as they are asked for."""
        import pyarrow.parquet as pq

        pieces = _Pieces()
        with pq.ParquetWriter(pieces, self._schema(), compression="zstd") as writer:
            for batch in self._batches():
                writer.write_batch(batch)
                yield from pieces.taken()
        yield from pieces.taken()

    def _schema(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema(
            [pa.field(name, _type(kind), nullable=kind.endswith("?")) for name, kind in self.kinds.items()]
        )

    def _batches(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        schema, rows = self._schema(), iter(self.rows())
        while some := list(islice(rows, ROWS_AT_ONCE)):
            columns = zip(*some, strict=True)
            arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            yield pa.record_batch(arrays, schema=schema)


class _Pieces:
    """A file for a writer; what was written is taken out as it comes."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self.closed = False

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        self._size += len(self._pieces[-1])
        return len(self._pieces[-1])

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def taken(self) -> list[bytes]:
        """What has come since."""
        pieces, self._pieces = self._pieces, []
        return pieces


def _type(kind: str) -> pa.DataType:
    import pyarrow as pa

    kind = kind.removesuffix("?")
    if kind.startswith("list<"):
        return pa.list_(pa.field("element", _type(kind[5:-1]), nullable=False))
    return pa.type_for_alias(kind)
