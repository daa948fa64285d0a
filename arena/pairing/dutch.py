"""A round by the FIDE Dutch system (FIDE Handbook C.04.3, as of February 2026), by caissify-pairings."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import rustworkx
from caissify_pairings import generate_pairings

from arena.pairing.record import Record

COLOURS = {1: "white", -1: "black"}


def pairable(playing: list[Record]) -> bool:
    """Whether the absolute rules leave a way to pair everybody.

    Nobody meets an opponent again, has a colour three times in a row or three times oftener than the other,
    or a bye after a win without a game.
    """
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(playing)
    pairs = combinations(range(len(playing)), 2)
    graph.add_edges_from([(one, other, 1) for one, other in pairs if _may_meet(playing[one], playing[other])])
    if len(playing) % 2:
        nobody = graph.add_node(None)
        graph.add_edges_from([(at, nobody, 1) for at, each in enumerate(playing) if not each.free])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True)
    return 2 * len(found) == graph.num_nodes()


def pair(
    playing: list[Record], number: int, length: int, win: int, *, odd_first: bool
) -> list[tuple[int, int | None]]:
    """The pairs of round `number` of `length`, in the order of the boards, a bye last.

    `win` is how many half points a round is worth at most. In the first round odd numbers have the first move
    if `odd_first`, and even ones if not.
    """
    met = {(one.number, other) for one in playing for other in one.opponents if one.number < other}
    found: list[dict[str, Any]] = generate_pairings(
        "dutch",
        [_player(each, win) for each in playing],
        met,
        number,
        length,
        initial_color="white" if odd_first else "black",
    )
    return [(each["white_id"], each["black_id"]) for each in found]


def _player(record: Record, win: int) -> dict[str, Any]:
    """What the library is told: the order is that of the ranks, as there are no ratings."""
    return {
        "id": record.number,
        "name": str(record.number),
        "score": record.half_points / win,
        "rating": 0,
        "starting_number": record.rank,
        "pairing_number": record.rank,
        "color_hist": [COLOURS[seat] for seat in record.seats],
        "float_history": [str(each) for each in record.floats],
        "bye_count": int(record.free),
    }


def _may_meet(one: Record, other: Record) -> bool:
    if other.number in one.opponents:
        return False
    return any(one.may_sit(seat) and other.may_sit(-seat) for seat in (1, -1))
