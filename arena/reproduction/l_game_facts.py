"""What the L-Game document tells beyond its counts, computed: predecessors, examples, players, its codes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from arena.reproduction.l_game_codes import Coding, coding
from arena.reproduction.l_game_rules import DRAWN, LOST, WON_AT_ONCE, Mixed, Rules, mixed, rules
from engines.games.l_game import LGame, State
from engines.kernels import l_game_graph
from engines.kernels.choices import choices_of
from engines.solvers import find_oracle
from engines.solvers.l_game import all_positions
from engines.solvers.l_game_counts import classes_of
from engines.solvers.l_game_hints import CORNERS, angle_square, inner_square
from engines.solvers.l_game_positions import boards_of_placements, graph_of
from engines.solvers.oracle import Value, decoded
from engines.solvers.play_graph import find_play_graph
from engines.solvers.retrograde import Graph, moves_into, solve
from engines.strategies import find_strategy
from engines.strategies.learner import Learner

TRAINING = (0, 1_000, 3_000, 10_000)
TRIALS = 1_000


class Trained(NamedTuple):
    """A learner after so many games: WinNodes that it knows to avoid, and its results against a person."""

    games: int
    known: int
    won: int
    drawn: int
    lost: int


class Example(NamedTuple):
    """A position as the document's figure 7 has one, and four that follow: b, c and d from a, e from d."""

    a: State
    b: State
    c: State
    d: State
    e: State


class Walked(NamedTuple):
    """Positions that a player comes to at its turns, in either seat and whatever is answered; those lost."""

    positions: int
    lost: int


class Wrong(NamedTuple):
    """A side's moves that lose a drawn position, those lost to the next move, and the most plies left."""

    moves: int
    at_once: int
    plies: int


class Facts(NamedTuple):
    """Everything that is not in the analysis.

    `predecessors` are those of every LoseNode, ascending; `orbits` the sizes of the sets of symmetric
    positions; `few_moves` how many positions of both sides have fewer than 50 moves. `chances` are those of
    the document's figure 8. `perfect` is what the player of that name can come to, and `coding` all positions
    in the document's code. `rules` is what its four rules come to together, `mixed` what its GeneralNodes can
    move into. `seconds` is how long finding all values took here.
    """

    predecessors: tuple[int, ...]
    orbits: frozenset[int]
    few_moves: int
    example: Example
    chances: tuple[tuple[int, int], ...]
    trained: tuple[Trained, ...]
    wrong: Wrong
    perfect: Walked
    coding: Coding
    rules: Rules
    mixed: Mixed
    seconds: float


def facts() -> Facts:
    """All of it, computed."""
    began = time.perf_counter()
    graph = graph_of()
    codes = solve(graph)
    seconds = time.perf_counter() - began
    before = np.bincount(graph.successors, minlength=len(codes))
    classes = classes_of(l_game_graph.positions(boards_of_placements()))
    return Facts(
        tuple(sorted(before[codes == LOST].tolist())),
        frozenset(np.unique(classes, return_counts=True)[1].tolist()),
        2 * int((np.diff(graph.starts) < 50).sum()),
        example(),
        chances(),
        tuple(_trained(games, codes) for games in TRAINING),
        wrong(graph, codes),
        walked("perfect"),
        coding(),
        rules(graph, codes),
        mixed(graph, codes),
        seconds,
    )


def wrong(graph: Graph, codes: np.ndarray) -> Wrong:
    """All moves from drawn positions into won ones of the other side."""
    drawn = np.repeat(codes == DRAWN, np.diff(graph.starts))
    after = codes[graph.successors[drawn]]
    won = after[after != DRAWN]
    longest = decoded(int(won.max())).distance or 0
    return Wrong(len(won), int((won == WON_AT_ONCE).sum()), longest)


def walked(name: str) -> Walked:
    """What the player of that name comes to from the first position, whichever of its moves it draws.

    Lost are the positions without a move.
    """
    game = LGame()
    graph = find_play_graph(game)
    if graph is None:
        raise LookupError("the L-Game has a graph")
    chosen = choices_of(game, graph, find_strategy(name, game))

    def after(position: int) -> set[int]:
        return set(graph.successors[graph.starts[position] : graph.starts[position + 1]].tolist())

    turns = {graph.first} | after(graph.first)
    todo, answered = list(turns), set[int]()
    while todo:
        for into in set(graph.successors[chosen.of(todo.pop())].tolist()) - answered:
            answered.add(into)
            new = after(into) - turns
            turns |= new
            todo += new
    return Walked(len(turns), sum(not after(position) for position in turns))


def chances() -> tuple[tuple[int, int], ...]:
    """Figure 8: in the nodes that one may go to, how many of the other side's ways are WinNodes, of how many.

    The nodes are numbered: 0 is where one is, 1 and 2 its Gnode1 and Gnode3, then their children, of which
    the first two each are WinNodes (they lead to the last node, which has no move).
    """
    children = {0: [1, 2], 1: [3, 4, 5, 6], 2: [7, 8, 9], 3: [10], 4: [10], 7: [10], 8: [10]}
    lists = [children.get(number, []) for number in range(11)]
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    graph = Graph(
        starts,
        np.array([each for some in lists for each in some], np.int32),
        np.array([0] * 10 + [-1], np.int8),
    )
    wrong = moves_into(graph, solve(graph) == WON_AT_ONCE)
    return tuple((int(wrong[node]), len(lists[node])) for node in (1, 2))


def example() -> Example:
    """The first drawn position, by number, with moves of the three kinds that figure 7 tells of."""
    game = LGame()
    oracle = find_oracle(game)
    _, states = all_positions(game)
    for a in states:
        if oracle.value(a).result == 0:
            after = [game.play(a, move) for move in game.legal_moves(a)]
            b = _first(after, in_corner=False)
            c = _first(after, in_corner=True)
            for d in after:
                e = _into_the_angle(game, d)
                if b and c and e and not angle_square(d.opp) & CORNERS:
                    return Example(a, b, c, d, e)
    raise LookupError("no position has moves of all three kinds")


def _first(after: Iterable[State], *, in_corner: bool) -> State | None:
    """The first that does not lose at once and has the right angle of the mover's L in a corner, or not."""
    oracle = find_oracle(LGame())
    safe = (state for state in after if oracle.value(state) != Value(1, 1))
    return next((state for state in safe if bool(angle_square(state.opp) & CORNERS) == in_corner), None)


def _into_the_angle(game: LGame, d: State) -> State | None:
    """How the other side wins at once by covering the square in the right angle of the mover's L."""
    if find_oracle(game).value(d) != Value(1, 1):
        return None
    inner = inner_square(d.opp)
    after = (game.play(d, move) for move in game.legal_moves(d))
    return next((e for e in after if e.opp & inner and game.outcome(e) is not None), None)


def _trained(games: int, codes: np.ndarray) -> Trained:
    player = Learner(LGame(), games, 0)
    far = np.frombuffer(player.far, np.uint8)
    known = int(((far == 1) & (codes == WON_AT_ONCE)).sum())
    return Trained(games, known, *player.results(TRIALS))
