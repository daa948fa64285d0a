"""Heap Nim's analysis in words, the document's where it has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.cli.solutions import table_lines


def lines(result: Mapping[str, Any]) -> Iterator[str]:
    """What `engines.solvers.heap_nim.analyse` found."""
    heaps = ", ".join(map(str, result["params"]["heaps"]))
    variant = "misère" if result["params"]["misere"] else "normal"
    yield (
        f"Heaps of {heaps}, {variant} play: with perfect play the {result['winner']} player wins"
        f" after {result['distance']} plies (XOR {result['xor']})"
    )
    yield ""
    if result["winning_moves"]:
        yield "Moves that win"
        rows = [
            (each["move"], each["heap"], each["left"], each["distance"]) for each in result["winning_moves"]
        ]
        yield from table_lines(("move", "heap", "left over", "plies"), rows)
    else:
        yield "No move wins"
    yield ""
    positions, all_of_them = result["positions"], result["positions"]["all"]
    yield (
        f"{all_of_them} positions: {positions['safe']} safe to leave to the opponent (lost for the side to"
        f" move), {positions['unsafe']} unsafe (won)"
    )
    yield f"The XOR rule says otherwise on {result['rule_wrong']} of {all_of_them}"
    yield f"Grundy numbers differ from the XOR of the heaps on {result['grundy_not_xor']} of {all_of_them}"
