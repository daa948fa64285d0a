"""A player of any game that tries its moves out: Monte Carlo tree search.

UCT (Kocsis and Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006): each playout goes down the tree
by the bound of UCB1 (Auer, Cesa-Bianchi and Fischer, *Finite-time analysis of the multiarmed bandit problem*,
Machine Learning 47, 2002), adds one position to it, and plays on from there at random. The move with the most
playouts is played. It knows nothing of a game but its rules, so it also plays those that others install.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engines.game import Game, Move
from engines.strategies import StrategyError, whole_number
from engines.stream import Stream

USUAL_PLAYOUTS = 100
MAX_PLAYOUTS = 1_000_000
EXPLORATION = math.sqrt(2)
LONGEST_PLAYOUT = 200
"""Plies after which a playout is a draw: there are games that do not end by themselves."""

WON, DRAWN, LOST = 1.0, 0.5, 0.0


class _Node:
    """A position of the tree. `made` is what its playouts brought the side that moved into it."""

    __slots__ = ("children", "made", "move", "playouts", "state", "to_move", "untried", "winner")

    def __init__(self, game: Game[Any], state: Any, move: Move | None = None) -> None:
        self.state, self.move = state, move
        self.to_move = game.to_move(state)
        outcome = game.outcome(state)
        self.winner = None if outcome is None else (outcome.winner,)
        self.untried = [] if outcome else list(game.legal_moves(state))
        self.children: list[_Node] = []
        self.playouts, self.made = 0, 0.0

    def most_promising(self) -> _Node:
        """The child with the highest bound; of equal ones the first that was tried."""
        told = math.log(self.playouts)
        return max(
            self.children,
            key=lambda each: each.made / each.playouts + EXPLORATION * math.sqrt(told / each.playouts),
        )


class TreeSearch:
    """Chooses after `playouts` playouts; where only one move is legal, at once and without a draw."""

    def __init__(self, game: Game[Any], playouts: int) -> None:
        self.name = f"mcts:{playouts}"
        self._game, self._playouts = game, playouts

    def choose(self, state: Any, history: Sequence[Move], stream: Stream) -> Move:
        """The move that was tried most often; of those the best, and of equal ones the lowest."""
        del history
        moves = self._game.legal_moves(state)
        if len(moves) == 1:
            return moves[0]
        root = _Node(self._game, state)
        for _ in range(self._playouts):
            self._play_out(root, stream)
        best = max(root.children, key=lambda each: (each.playouts, each.made, -(each.move or 0)))
        return moves[0] if best.move is None else best.move

    def _play_out(self, root: _Node, stream: Stream) -> None:
        game, node, path = self._game, root, [root]
        while not node.untried and node.children:
            node = node.most_promising()
            path.append(node)
        if node.untried:
            move = node.untried.pop(stream.below(len(node.untried)))
            node.children.append(_Node(game, game.play(node.state, move), move))
            node = node.children[-1]
            path.append(node)
        winner = node.winner[0] if node.winner else self._winner(node.state, stream)
        for mover, reached in zip([None, *path], path, strict=False):
            reached.playouts += 1
            if mover is not None:
                reached.made += DRAWN if winner is None else WON if winner == mover.to_move else LOST

    def _winner(self, state: Any, stream: Stream) -> int | None:
        """Who wins when both sides play on at random from a position that is not over; None for a draw."""
        game = self._game
        for _ in range(LONGEST_PLAYOUT):
            state = game.play(state, stream.choice(game.legal_moves(state)))
            if outcome := game.outcome(state):
                return outcome.winner
        return None


def find(game: Game[Any], *parameters: str) -> TreeSearch:
    """The player by the text of its parameter, how many playouts a move has (100 where left out).

    Raises:
        StrategyError: there are more parameters, or it is no number from 1 to 1,000,000.
    """
    if len(parameters) > 1:
        raise StrategyError(
            "mcts takes the playouts a move, as in mcts:400, not %(text)r", text=":".join(parameters)[:40]
        )
    playouts = whole_number(
        parameters[0] if parameters else str(USUAL_PLAYOUTS),
        1,
        MAX_PLAYOUTS,
        what="the number of playouts",
        player="mcts",
    )
    return TreeSearch(game, playouts)
