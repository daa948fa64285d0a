"""The proof of a Reversi's value that is written where it has been solved; `docs/solving.md` has the format.

It has two halves: X reaches at least the value, and O holds X to at most that. Of each half's positions it
says one move where the side that the half is about is to move, and goes on with all moves where the other is.
A position stands once in a half, whatever moves lead to it and however the board is turned, and after all
that lead to it. `engines.solvers.reversi_verifier` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256

from engines.game import Move, Seat
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.reversi_cut import Cut
from engines.solvers.reversi_tree import Node, Tree

FORMAT, VERSION = "bot-arena-proof", 1
HALVES = ("at least", "at most")


def proof(game: ReversedReversi, cut: Cut, position: State | None = None) -> Iterator[bytes]:
    """The lines of the proof of what `cut` found out about a position of `game`, None for its start.

    Raises:
        ValueError: it has not yet found out all.
    """
    first: Seat = 0 if position is None else position.seat
    value = -cut.result().value if first else cut.result().value
    header = {"format": FORMAT, "version": VERSION, "game": game.name, "rules": game.version}
    header |= {"params": game.params, "value": value, "frontier": cut.tree.frontier}
    if position is not None:
        header["position"] = game.state_to_json(position)
    checksum = sha256()
    for text in _body(json.dumps(header), game, cut.tree, first, value):
        line = f"{text}\n".encode()
        checksum.update(line)
        yield line
    yield f"end {checksum.hexdigest()}\n".encode()


def _body(header: str, game: ReversedReversi, tree: Tree, first: Seat, value: int) -> Iterator[str]:
    yield header
    for seat, words in enumerate(HALVES):
        yield f"{words} {value}"
        yield from _Half(game, tree, first, seat ^ first, -value if seat else value).lines()


class _Half:
    """The half in which the tree's side `claimer` is shown to reach `claim`; `first` is the root's mover."""

    def __init__(self, game: ReversedReversi, tree: Tree, first: Seat, claimer: int, claim: int) -> None:
        self._game, self._tree, self._first = game, tree, first
        self._claimer, self._claim = claimer, claim
        self._costs: dict[int, int] = {}

    def lines(self) -> Iterator[str]:
        """Every position of it, those with more empty squares first."""
        layers: dict[int, dict[int, Node]] = {}

        def add(node: Node) -> None:
            layers.setdefault(node.order, {})[id(node)] = node

        if self._claim > -self._tree.board.squares:  # else there is nothing to prove
            add(self._tree.root)
        while layers:
            layer = layers.pop(max(layers)).values()
            for text, node in sorted(((self._text(node), node) for node in layer), key=_first):
                if self._ends(node):
                    yield f"leaf {text}"
                elif node.side == self._claimer:
                    child = self._chosen(node)
                    add(child)
                    yield f"move {text} {self._game.move_to_text(self._move(node, child))}"
                else:
                    for child in node.children:
                        add(child)
                    yield f"all {text}"

    def _text(self, node: Node) -> str:
        told = self._game.state_to_json(State(*node.position, 1 if node.side != self._first else 0))
        return f"{''.join(told['board'])} {told['to_move']}"

    def _ends(self, node: Node) -> bool:
        """Whether the proof goes no farther: the position is solved as it stands, or over."""
        return self._tree.is_leaf(node) or not self._tree.board.moves(node.position)

    def _chosen(self, node: Node) -> Node:
        """The move's position that is proven to be good enough, of several one with a short proof."""
        return min((child for child in node.children if child.high <= -self._claim), key=self._cost)

    def _cost(self, node: Node) -> int:
        """About how many leaves its proof has; those that it has twice are counted twice."""
        if id(node) not in self._costs:
            if self._ends(node):
                cost = 1
            elif node.side == self._claimer:
                cost = self._cost(self._chosen(node))
            else:
                cost = sum(map(self._cost, node.children))
            self._costs[id(node)] = cost
        return self._costs[id(node)]

    def _move(self, node: Node, child: Node) -> Move:
        board = self._tree.board
        return next(
            move
            for move in board.moves(node.position)
            if board.canonical(board.play(node.position, move)) == child.position
        )


def _first(pair: tuple[str, Node]) -> str:
    return pair[0]
