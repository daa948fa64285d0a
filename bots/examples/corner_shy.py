"""Shuns corners, and turns over as little as it can: where fewer discs win, both are good manners."""

from __future__ import annotations

from arena_bot import Request, run

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def turned(board: list[str], move: str, own: str) -> int:
    """How many discs `own` turns over by playing `move`."""
    size, count = len(board), 0
    column, row = ord(move[0]) - ord("a"), int(move[1:]) - 1
    for dx, dy in DIRECTIONS:
        x, y, line = column + dx, row + dy, 0
        while 0 <= x < size and 0 <= y < size and board[y][x] not in (own, "."):
            x, y, line = x + dx, y + dy, line + 1
        if 0 <= x < size and 0 <= y < size and board[y][x] == own:
            count += line
    return count


class CornerShy:
    """Takes a corner only when nothing else is left; otherwise the move that turns over the fewest discs."""

    name = "corner-shy"
    version = "1"

    def choose(self, request: Request) -> tuple[str, str]:
        """The best move by these two rules, with the count as its debug text."""
        board, own = request.state["board"], request.state["to_move"]
        ends = {"a", chr(ord("a") + len(board) - 1)}, {"1", str(len(board))}

        def badness(move: str) -> tuple[bool, int, str]:
            return (move[0] in ends[0] and move[1:] in ends[1], turned(board, move, own), move)

        best = min(request.legal, key=badness)
        return best, f"turns over {turned(board, best, own)}"


run(CornerShy())
