"""Rhombic chess layer by layer: the exact table, the document's, and the rules that give either.

Liu and Lin (National Taiwan Normal University) solve the ten-stone positions first and then carry the values
back to the empty board. The board itself is a reconstruction by their row for ten stones, which is therefore
no evidence for it. Their rows for 6 to 9 stones are not those of an exact solution, though their row
for ten stones and the theorem are. `RULES` are ways to carry values back; the last of them gives every row
of the document from 5 to 10 stones. It has two slips:

- Where no successor is lost, each successor's value replaces that of the one before, so that the last one
  decides: drawn where it is drawn, lost where it is won, whatever the others are. Which one is the last is a
  matter of how the points are numbered; the document says that this is of no importance, and does not tell.
- Into a layer where both sides have as many stones (8, 6, 4, 2) positions are looked up with the sides
  exchanged. That only fits in as the table is of the same shape; a layer with unequal numbers has another.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engines.games.rhombic_chess import FULL, POINTS, RhombicChess
from engines.kernels import rhombic_graph
from engines.solvers.oracle import Progress, Solution, decoded
from engines.solvers.retrograde import Graph, solve
from engines.solvers.rhombic_positions import LAYER_STARTS, MAX_STONES, graph_of, layer_size

Results = npt.NDArray[np.int8]
Row = tuple[int, int, int, int]
Order = tuple[int, ...]

DOCUMENT: dict[int, Row] = {
    10: (72072, 38608, 32436, 1028),
    9: (90090, 86620, 3138, 332),
    8: (90090, 10922, 79038, 130),
    7: (60060, 59334, 694, 32),
    6: (34320, 1704, 32616, 0),
    5: (12870, 12870, 0, 0),
    4: (4290, 0, 4290, 0),
    3: (858, 858, 0, 0),
    2: (156, 0, 156, 0),
    1: (13, 13, 0, 0),
    0: (13, 0, 13, 0),
}
"""The document's table: stones on the board to positions, won, lost and drawn for the side to move."""

BY_ROWS: Order = tuple(range(POINTS))
FROM_THE_CENTRE: Order = tuple(point - 1 for point in (3, 6, 7, 8, 11, 2, 4, 10, 12, 1, 5, 9, 13))
"""The centre with its four neighbours, then the other corners of the grid, then the tips; each row by row."""


class Rule(NamedTuple):
    """A way to carry values back. `order` is that of the points where the last successor decides.

    Without it the whole of the successors decides, as it should. `exchanged` looks positions with equal
    numbers of stones up with the sides exchanged.
    """

    name: str
    description: str
    order: Order | None
    exchanged: bool


RULES = (
    Rule("exact", "any lost successor wins, else any drawn one draws", None, exchanged=False),
    Rule(
        "last successor, by rows",
        "any lost successor wins, else the last one decides; points numbered row by row",
        BY_ROWS,
        exchanged=False,
    ),
    Rule(
        "last successor, from the centre",
        "the same, points numbered from the centre: 3 6 7 8 11, 2 4 10 12, 1 5 9 13",
        FROM_THE_CENTRE,
        exchanged=False,
    ),
    Rule(
        "sides exchanged",
        "as exact, but 8, 6, 4 and 2 stones are looked up with the sides exchanged",
        None,
        exchanged=True,
    ),
    Rule(
        "last successor, by rows, sides exchanged",
        "both slips, points numbered row by row",
        BY_ROWS,
        exchanged=True,
    ),
    Rule(
        "last successor, from the centre, sides exchanged",
        "both slips, points numbered from the centre",
        FROM_THE_CENTRE,
        exchanged=True,
    ),
)


def layers(game: RhombicChess, progress: Progress) -> Solution:
    """The whole analysis, fit for JSON."""
    total = len(RULES) + 1
    progress(0, total)
    boards, graph = rhombic_graph.positions(), graph_of()
    codes = solve(graph)
    results = np.where(codes == 0, 0, np.where(codes % 2 == 1, 1, -1)).astype(np.int8)
    progress(1, total)
    rules = []
    for done, rule in enumerate(RULES, start=2):
        rules.append(_compared(rule, carried_back(boards, graph, results, rule)))
        progress(done, total)
    five = _layer(5)
    start = decoded(int(codes[LAYER_STARTS[0]]))
    return {
        "game": game.name,
        "layers": [_layer_row(stones, codes, results) for stones in range(MAX_STONES, -1, -1)],
        "theorem": {
            "second_player_wins": start.result < 0,
            "plies": start.distance,
            "first_two_stones_do_not_matter": bool((results[five] == 1).all()),
        },
        "rules": rules,
    }


def carried_back(boards: npt.NDArray[np.uint16], graph: Graph, solved: Results, rule: Rule) -> Results:
    """The results of all positions when those with ten stones are right and the rest comes by `rule`."""
    results = solved.copy()
    for stones in range(MAX_STONES - 1, -1, -1):
        here = _layer(stones)
        moves = slice(graph.starts[here.start], graph.starts[here.stop])
        after = graph.successors[moves].astype(np.int64)
        if rule.exchanged and stones % 2 == 1 and stones + 1 < MAX_STONES:
            after = _with_sides_exchanged(boards, stones + 1)[after - LAYER_STARTS[stones + 1]]
        values = results[after.reshape(-1, POINTS - stones)]
        if rule.order is None:
            others = np.where((values == 0).any(axis=1), 0, -1)
        else:
            others = -values[np.arange(len(values)), _last(boards[here], rule.order)]
        results[here] = np.where((values == -1).any(axis=1), 1, others)
    return results


def _last(boards: npt.NDArray[np.uint16], order: Order) -> npt.NDArray[np.int64]:
    """Which successor of each position fills the empty point that comes last; they are sorted by points."""
    empty = FULL & ~(boards[:, 0] | boards[:, 1])
    free = np.stack([empty >> point & 1 for point in range(POINTS)], axis=1)
    latest = np.argmax(free * (1 + np.argsort(order)), axis=1)
    number_among_free = np.cumsum(free, axis=1) - 1
    return np.asarray(number_among_free[np.arange(len(boards)), latest], np.int64)


def _with_sides_exchanged(boards: npt.NDArray[np.uint16], stones: int) -> npt.NDArray[np.int64]:
    """For each position of a layer with equal numbers the number of the same with the sides exchanged."""
    own, other = boards[_layer(stones)].T.astype(np.int64)
    keys, exchanged = own << POINTS | other, other << POINTS | own
    by_key = np.argsort(keys)
    return np.asarray(LAYER_STARTS[stones] + by_key[np.searchsorted(keys, exchanged, sorter=by_key)])


def _layer(stones: int) -> slice:
    return slice(LAYER_STARTS[stones], LAYER_STARTS[stones] + layer_size(stones))


def _row(stones: int, results: Results) -> Row:
    here = results[_layer(stones)]
    won, lost, drawn = (int((here == result).sum()) for result in (1, -1, 0))
    return len(here), won, lost, drawn


def _named(row: Row) -> dict[str, int]:
    return dict(zip(("positions", "won", "lost", "drawn"), row, strict=True))


def _layer_row(stones: int, codes: npt.NDArray[np.uint8], results: Results) -> dict[str, Any]:
    exact, document = _row(stones, results), DOCUMENT[stones]
    differs = [theirs - ours for theirs, ours in zip(document, exact, strict=True)]
    plies = decoded(int(codes[_layer(stones)].max())).distance or 0
    return {
        "stones": stones,
        **_named(exact),
        "longest": plies,
        "document": _named(document),
        "document_minus_exact": _named((differs[0], differs[1], differs[2], differs[3])),
    }


def _compared(rule: Rule, results: Results) -> dict[str, Any]:
    rows = {stones: _row(stones, results) for stones in range(MAX_STONES, -1, -1)}
    return {
        "rule": rule.name,
        "description": rule.description,
        "layers": [{"stones": stones, **_named(row)} for stones, row in rows.items()],
        "rows_as_in_the_document": [stones for stones, row in rows.items() if row == DOCUMENT[stones]],
    }
