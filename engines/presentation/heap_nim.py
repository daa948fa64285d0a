"""Heap Nim's analysis in words, the document's where it has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation import LEFT_THE_LAST, NOTHING, Presentation, Words
from engines.presentation.tables import table_lines


class HeapNimPresentation(Presentation):
    """How heap Nim is shown."""

    board = "engines.presentation:boards/heap_nim.html"
    reasons: ClassVar = {
        "left_the_last": LEFT_THE_LAST,
        "took_the_last": Words("took the last one", "取走最後一個"),
    }

    def title(self, params: Mapping[str, Any]) -> Words:
        """Its name and its heaps."""
        heaps = "-".join(map(str, params["heaps"]))
        variant = Words(" · misère", " · 最後取者負") if params["misere"] else NOTHING
        return Words(f"Heap Nim {heaps}{variant.english}", f"拈（堆） {heaps}{variant.chinese}")

    def hinted(self, game: Game[Any], state: Any, move: Move) -> dict[str, Any]:
        """As its document's hint tells a move: the heap, and how many to leave."""
        heap = int(game.move_to_text(move).partition(":")[0])
        return {"heap": heap, "left": game.play(state, move).heaps[heap - 1]}

    def hint_words(self, hinted: Mapping[str, Any]) -> str:
        """The same in words."""
        return f"heap {hinted['heap']}, take until {hinted['left']} are left"

    def solution(self, result: Mapping[str, Any]) -> Iterator[str]:
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
                (each["move"], each["heap"], each["left"], each["distance"])
                for each in result["winning_moves"]
            ]
            yield from table_lines(("move", "heap", "left over", "plies"), rows)
        else:
            yield "No move wins"
        yield ""
        positions, all_of_them = result["positions"], result["positions"]["all"]
        yield (
            f"{all_of_them} positions: {positions['safe']} safe to leave to the opponent (lost for the side"
            f" to move), {positions['unsafe']} unsafe (won)"
        )
        yield f"The XOR rule says otherwise on {result['rule_wrong']} of {all_of_them}"
        differ = result["grundy_not_xor"]
        yield f"Grundy numbers differ from the XOR of the heaps on {differ} of {all_of_them}"
