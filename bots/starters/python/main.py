"""A bot: it plays the legal move that it finds best. Make `value` think, and it plays better."""

from __future__ import annotations

from arena_bot import Request, run

SPARE = 0.05
"""So many seconds before the time is over it answers with the best that it has."""


class MyBot:
    """Each turn the arena asks `choose` for a move."""

    def choose(self, request: Request) -> str:
        """The legal move with the highest value, the first one of several."""
        best, highest = request.legal[0], float("-inf")
        for move in request.legal:
            if request.seconds_left() < SPARE:
                break
            value = self.value(request, move)
            if value > highest:
                best, highest = move, value
        return best

    def value(self, request: Request, move: str) -> float:
        """How good a move is: the higher, the better. Your search begins here.

        `request.state` is the position, `request.seat` is you (0 or 1), and README.md shows an example.
        """
        return 0.0


if __name__ == "__main__":
    run(MyBot())
