"""A sweep's result as a table: a row for each of its simulations."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from arena.experiments.grid import Cell
from arena.experiments.simulations import OUTCOMES, summarise
from arena.theory.statistics.intervals import Method
from workers.simulation.contract import SimulationSpec, Tally

COUNTED = (
    "games",
    *OUTCOMES,
    *(f"{outcome}_{part}" for outcome in OUTCOMES for part in ("share", "low", "high")),
    *(f"score_{part}" for part in ("mean", "error", "low", "high", "method")),
    "plies_mean",
)
"""The columns that stay empty until games were played; all are the first player's."""


def row_of(
    cell: Cell,
    spec: SimulationSpec,
    tally: Tally,
    *,
    confidence: float,
    interval: Method,
    state: str,
    stopped: bool,
    experiment: int | None = None,
    secret: Collection[str] | None = None,
) -> dict[str, Any]:
    """The row of one simulation; with `secret` the seed, and the values of these names, stay empty."""
    row: dict[str, Any] = {
        "cell": cell.number,
        "experiment": experiment,
        "state": state,
        **{name: None if name in (secret or ()) else value for name, value in cell.values.items()},
        "game": spec.game.name,
        "first": spec.players[0].name,
        "second": spec.players[1].name,
        "seed": spec.seed if secret is None else None,
        "match": spec.match,
        "asked": spec.games,
        "stopped": stopped,
    }
    return row | _counted(spec, tally, confidence, interval)


def _counted(spec: SimulationSpec, tally: Tally, confidence: float, interval: Method) -> dict[str, Any]:
    if not tally.games:
        return dict.fromkeys(COUNTED) | {"games": 0}
    summary = summarise(spec, tally, confidence, interval)
    first = summary["first"]
    shares = {
        f"{outcome}_{part}": first["shares"][outcome][part]
        for outcome in OUTCOMES
        for part in ("share", "low", "high")
    }
    scores = {f"score_{part}": first["score"][part] for part in ("mean", "error", "low", "high", "method")}
    counts = {name: first[name] for name in ("games", *OUTCOMES)}
    return counts | shares | scores | {"plies_mean": summary["plies_mean"]}


def as_csv(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The rows below their names."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for number, row in enumerate(rows):
        if number == 0:
            writer.writerow(row)
        writer.writerow(["" if value is None else value for value in row.values()])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def as_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The rows as JSON, a line each."""
    return (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
