"""Walks along the edge of the board whenever it can: a bot in a few lines, without any rules of the game."""

from __future__ import annotations

from arena_bot import Request, run


class EdgeWalker:
    """Takes the square nearest to an edge, the first of them by its name."""

    name = "edge-walker"
    version = "1"

    def choose(self, request: Request) -> str:
        """The legal square with the smallest distance to an edge."""
        size = len(request.state["board"])

        def distance(move: str) -> int:
            column, row = ord(move[0]) - ord("a"), int(move[1:]) - 1
            return min(column, row, size - 1 - column, size - 1 - row)

        return str(min(request.legal, key=lambda move: (distance(move), move)))


run(EdgeWalker())
