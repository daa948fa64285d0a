"""Leaves the opponent as few replies as possible: one ply of look-ahead with rules of its own."""

from __future__ import annotations

from arena_bot import Request, run

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
OTHER = {"X": "O", "O": "X"}

Board = dict[tuple[int, int], str]


def lines(board: Board, square: tuple[int, int], own: str) -> list[tuple[int, int]]:
    """The squares that `own` turns over by playing on `square`."""
    turned = []
    for dx, dy in DIRECTIONS:
        x, y, line = square[0] + dx, square[1] + dy, []
        while board.get((x, y)) == OTHER[own]:
            line.append((x, y))
            x, y = x + dx, y + dy
        if board.get((x, y)) == own:
            turned += line
    return turned


class Mobility:
    """Counts the opponent's replies to every move and takes the move with the fewest."""

    name = "mobility"
    version = "1"

    def choose(self, request: Request) -> str:
        """The move that leaves the fewest replies; among equals one by chance, from the match's seed."""
        rows = request.state["board"]
        board = {(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
        own = request.state["to_move"]
        replies = {move: self.replies(board, move, own) for move in request.legal}
        fewest = min(replies.values())
        return str(request.rng.choice([move for move in request.legal if replies[move] == fewest]))

    @staticmethod
    def replies(board: Board, move: str, own: str) -> int:
        """How many squares the opponent could play on after `move`."""
        square = (ord(move[0]) - ord("a"), int(move[1:]) - 1)
        after = board | dict.fromkeys([square, *lines(board, square, own)], own)
        return sum(1 for at, cell in after.items() if cell == "." and lines(after, at, OTHER[own]))


run(Mobility())
