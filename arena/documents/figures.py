"""Which figures the documents print of games between two players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from arena.documents import circle_nim

RANDOM = "random"
GRID = {
    "name": "boards",
    "vary": {"rows": [3, 4, 5], "records": [100, 1000]},
    "each": {
        "game": "circle_nim",
        "params": {"rows": "{rows}"},
        "first": "algo3:{records}",
        "second": "random",
        "games": 3000,
    },
}
"""A grid of experiments like those of a document, as an example."""


class Printed(NamedTuple):
    """A column of a table: what share of each run's games the side that begins won, and their mean.

    `same_records` says that all games were played with one set of records, which moves the share too.
    """

    document: str
    table: str
    games_a_run: int
    runs: tuple[str, ...]
    mean: str
    same_records: bool

    @property
    def games(self) -> int:
        """Those of all runs."""
        return self.games_a_run * len(self.runs)

    @property
    def wins(self) -> int:
        """Games that the side that begins won in all runs: each share is of whole games."""
        return sum(round(float(run) * self.games_a_run) for run in self.runs)


def printed(game: str, params: Mapping[str, Any], first: str, second: str) -> tuple[Printed, ...]:
    """What the documents print of games in which `first` begins, a column a figure."""
    if game != "circle_nim" or second != RANDOM or not isinstance(params.get("rows"), int):
        return ()
    rows: int = params["rows"]
    found = _random(rows) if first == RANDOM else _algorithm(rows, first)
    return tuple(found)


def _random(rows: int) -> Iterator[Printed]:
    for number, columns in ((1, circle_nim.TABLE_1), (2, circle_nim.TABLE_2)):
        for column in columns:
            if column.rows == rows:
                runs, mean = column.runs, column.mean
                yield Printed("circle_nim", f"table-{number}", column.games, runs, mean, same_records=False)


def _algorithm(rows: int, player: str) -> Iterator[Printed]:
    """The column of the algorithm that `player`, such as ``algo3:10000:7``, names."""
    name, _, rest = player.partition(":")
    records = rest.partition(":")[0]
    for table in circle_nim.ALGORITHM_TABLES:
        if table.rows == rows and name == f"algo{table.algorithm}":
            for column in table.columns:
                if records == str(column.records):
                    yield Printed(
                        *("circle_nim", f"table-{table.number}", circle_nim.GAMES_A_RUN),
                        runs=column.runs,
                        mean=column.mean,
                        same_records=True,
                    )
