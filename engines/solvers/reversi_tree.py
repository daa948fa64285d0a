"""A tree of Reversi's positions down to a frontier of few empty squares, and what is known of each.

The question in hand is whether the root's value is at least some number; so is, turned about, that of every
position below. Which frontier position to solve next is chosen as in proof-number search (Allis, van der
Meulen and van den Herik, *Proof-number search*, Artificial Intelligence 66, 1994): each position has a price
of a yes and a price of a no, in frontier positions to be solved. A frontier position's prices come from an
estimate of its value, so that where one answer is likely that one is cheap. Of the mover's moves the one that
is cheapest to prove counts for a yes, for a no all of them do.

A frontier position that somebody is solving counts as answered the way that is expected. What is chosen next
is then needed besides it: all moves of the side that is expected to fail, one of the other's.

Positions that a symmetry takes into each other are one, reached by whatever moves; the side to move is part
of them, as the question depends on it. Bounds only grow narrower, whatever order the answers come in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush
from math import exp, inf

from engines.solvers.reversi_board import Board, Position

Bounds = tuple[int, int]
"""The least and the greatest that a value can be."""

GROWTH = 2.6
"""By how much the price of a position rises with each ply that it is farther from the frontier."""
STEEPNESS = 0.55
"""The scale of the logistic distribution whose standard deviation is 1 (√3/π)."""
LARGEST_POWER = 30.0
"""An answer that is less likely than ``exp(-30)`` costs no more than that."""


class ContradictionError(Exception):
    """Two answers about a position cannot both be true: one of them is wrong."""


class Node:
    """A position of the tree; `side` is 0 where the root's mover is to move, else 1.

    `low` and `high` are bounds of its value. `yes` and `no` are the prices of both answers to the question in
    hand, 0 for the right one where it is decided. `share` is how much of it is decided, 1 for all. `order`
    is greater than that of every position below.
    """

    __slots__ = (
        "children",
        "estimate",
        "high",
        "low",
        "no",
        "order",
        "parents",
        "position",
        "question",
        "running",
        "share",
        "side",
        "yes",
    )

    def __init__(self, position: Position, side: int, order: int, bounds: Bounds, estimate: float) -> None:
        self.position = position
        self.side = side
        self.order = order
        self.low, self.high = bounds
        self.estimate = estimate
        self.children: tuple[Node, ...] = ()
        self.parents: list[Node] = []
        self.running = False
        self.question = -1
        self.yes = self.no = 1.0
        self.share = 0.0

    @property
    def exact(self) -> bool:
        """Whether its value is known."""
        return self.low == self.high


class Tree:
    """All positions that were looked at, from the root to those with at most `frontier` empty squares."""

    def __init__(
        self, board: Board, root: Position, frontier: int, known: Mapping[Position, Bounds] | None = None
    ) -> None:
        self.board = board
        self.frontier = frontier
        self.known = dict(known or {})
        self.at_least = 0
        self._nodes: dict[tuple[Position, int], Node] = {}
        self._question = 0
        self.root = self._node(board.canonical(root), 0)

    def __len__(self) -> int:
        return len(self._nodes)

    def is_leaf(self, node: Node) -> bool:
        """Whether it is solved as it stands, and not by its moves."""
        return node.order // 2 <= self.frontier

    def needed(self, node: Node) -> int:
        """What its mover is asked to reach."""
        return 1 - self.at_least if node.side else self.at_least

    def decided(self, node: Node) -> bool:
        """Whether the question in hand is answered for it."""
        needed = self.needed(node)
        return node.low >= needed or node.high < needed

    def ask(self, at_least: int, goals: Iterable[Node]) -> None:
        """Have the question in hand be whether the root's value is `at_least` that, for these positions."""
        self.at_least = at_least
        self._question += 1
        for goal in goals:
            self._visit(goal)

    def expand(self, node: Node) -> None:
        """Look at all that a position's moves lead to, once."""
        if node.children or self.is_leaf(node):
            return
        board, found = self.board, dict[int, Node]()
        for move in board.moves(node.position):
            child = self._node(board.canonical(board.play(node.position, move)), 1 - node.side)
            found[id(child)] = child
        node.children = tuple(found.values())
        for child in node.children:
            child.parents.append(node)
            self._visit(child)
        self._settle([node])

    def learn(self, position: Position, bounds: Bounds) -> None:
        """Take in bounds that somebody found of a position.

        Raises:
            ContradictionError: they contradict what is known.
        """
        least, greatest = self.known.get(position, (-self.board.squares, self.board.squares))
        low, high = max(least, bounds[0]), min(greatest, bounds[1])
        if low > high:
            raise ContradictionError(
                f"{position} is worth {least} to {greatest}, and {bounds[0]} to {bounds[1]}"
            )
        self.known[position] = low, high
        nodes = [node for side in (0, 1) if (node := self._nodes.get((position, side))) is not None]
        for node in nodes:
            node.low, node.high = max(node.low, low), min(node.high, high)
        self._settle(nodes)

    def mark(self, node: Node, *, running: bool) -> None:
        """Say that somebody is solving it, or no more."""
        node.running = running
        self._settle([node])

    def at(self, position: Position, side: int) -> Node:
        """The node of a position that is in the tree."""
        return self._nodes[position, side]

    def promising(self, goals: Iterable[Node]) -> Node | None:
        """A frontier position that is needed if all that is being solved comes out as expected."""
        for goal in goals:
            while goal.yes and goal.no:
                node = goal
                while node.children:
                    node = min(node.children, key=_refuted)
                if self.is_leaf(node):
                    return node
                self.expand(node)
        return None

    def spare(self, goals: Iterable[Node]) -> Node | None:
        """A frontier position that may be needed if something does not come out as expected."""
        seen = set[int]()
        return next((leaf for goal in goals if (leaf := self._spare(goal, seen)) is not None), None)

    def wanted(self, goals: Iterable[Node]) -> Callable[[Node], bool]:
        """Tells of a position whether the answer for one of the goals can still depend on it."""
        told = {id(goal): not self.decided(goal) for goal in goals}

        def tell(node: Node) -> bool:
            if id(node) not in told:
                told[id(node)] = not self.decided(node) and any(map(tell, node.parents))
            return told[id(node)]

        return tell

    def _node(self, position: Position, side: int) -> Node:
        node = self._nodes.get((position, side))
        if node is None:
            node = self._nodes[position, side] = self._made(position, side)
        return node

    def _made(self, position: Position, side: int) -> Node:
        board = self.board
        moves = board.moves(position)
        low, high = self.known.get(position, (-board.squares, board.squares))
        if not moves:
            low = high = board.final(position)
        passes = moves == (board.squares,)
        order = 2 * board.empty(position) + passes
        return Node(position, side, order, (low, high), board.estimate(position))

    def _visit(self, node: Node) -> None:
        """Bring the prices of a position and of all below it to the question in hand."""
        if node.question == self._question:
            return
        node.question = self._question
        if not self.decided(node):
            for child in node.children:
                self._visit(child)
        self._reckon(node)

    def _settle(self, nodes: list[Node]) -> None:
        """Carry what has changed of these positions to all above them, each after all below it."""
        waiting: list[tuple[int, int, Node]] = []
        queued = set[int]()

        def queue(node: Node) -> None:
            if id(node) not in queued:
                queued.add(id(node))
                heappush(waiting, (node.order, id(node), node))

        for node in nodes:
            queue(node)
        while waiting:
            node = heappop(waiting)[-1]
            if self._reckon(node) or node in nodes:
                for parent in node.parents:
                    queue(parent)

    def _reckon(self, node: Node) -> bool:
        """Work out bounds, prices and share of a position from its children's; whether they changed."""
        before = node.low, node.high, node.yes, node.no, node.share
        children = node.children
        if children:
            node.low = max(node.low, -min(child.high for child in children))
            node.high = min(node.high, -min(child.low for child in children))
            if node.low > node.high:
                raise ContradictionError(
                    f"{node.position} is worth {node.low} at least and {node.high} at most"
                )
        needed = self.needed(node)
        if node.low >= needed:
            node.yes, node.no, node.share = 0.0, inf, 1.0
        elif node.high < needed:
            node.yes, node.no, node.share = inf, 0.0, 1.0
        elif children:
            node.yes = min(child.no for child in children)
            node.no = sum(child.yes for child in children)
            node.share = sum(child.share for child in children) / len(children)
        else:
            node.yes, node.no = self._prices(node, needed)
            node.share = 0.0
        return before != (node.low, node.high, node.yes, node.no, node.share)

    def _prices(self, node: Node, needed: int) -> tuple[float, float]:
        estimate = min(max(node.estimate, node.low), node.high)
        doubt = (needed - 0.5 - estimate) / (self.board.spread * STEEPNESS)
        if node.running:
            return (0.0, inf) if doubt <= 0 else (inf, 0.0)
        doubt = min(max(doubt, -LARGEST_POWER), LARGEST_POWER)
        price = GROWTH ** max(0, node.order // 2 - self.frontier)
        return price * (1 + exp(doubt)), price * (1 + exp(-doubt))

    def _spare(self, node: Node, seen: set[int]) -> Node | None:
        if id(node) in seen or self.decided(node):
            return None
        seen.add(id(node))
        if self.is_leaf(node):
            return None if node.running else node
        self.expand(node)
        below = sorted(node.children, key=_refuted)
        return next((leaf for child in below if (leaf := self._spare(child, seen)) is not None), None)


def _refuted(node: Node) -> float:
    """How much it costs to show that its mover fails."""
    return node.no
