"""The smallest board's positions counted, how long games last on it, and the score of perfect play."""

from __future__ import annotations

from itertools import pairwise

from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.forward import Graph
from engines.solvers.oracle import Solution


def counts(game: ReversedReversi, graph: Graph[State]) -> Solution:
    """Positions, games and their lengths in plies (with passes), and a line of play for the best score."""
    start = graph.numbers[game.initial()]
    line = _best_line(game, graph, start)
    outcome = game.outcome(graph.states[line[-1]])
    finished = sum(1 for successors in _successors(graph) if not successors)
    shortest, longest, games = _games(graph)
    return {
        "score": None if outcome is None else list(outcome.score),
        "line": _texts(game, graph, line),
        "positions": {
            "all": len(graph.states),
            "up_to_symmetry": len({game.canonical(state) for state in graph.states}),
            "finished": finished,
        },
        "plies": {"shortest": shortest[start], "longest": longest[start]},
        "games": games[start],
    }


def _successors(graph: Graph[State]) -> list[list[int]]:
    """The successors of every position."""
    starts, successors = graph.starts.tolist(), graph.successors.tolist()
    return [successors[first:last] for first, last in pairwise(starts)]


def _games(graph: Graph[State]) -> tuple[list[int], list[int], list[int]]:
    """From every position the fewest and the most plies to the end, and the number of ways to get there."""
    shortest: list[int] = []
    longest: list[int] = []
    games: list[int] = []
    for after in _successors(graph):
        shortest.append(1 + min(shortest[each] for each in after) if after else 0)
        longest.append(1 + max(longest[each] for each in after) if after else 0)
        games.append(sum(games[each] for each in after) if after else 1)
    return shortest, longest, games


def _best_line(game: ReversedReversi, graph: Graph[State], start: int) -> list[int]:
    """The positions of a game in which both sides play for the best score."""
    sign = -1 if game.reversed else 1
    margins: list[int] = []
    after = _successors(graph)
    for state, successors in zip(graph.states, after, strict=True):
        final = sign * (state.own.bit_count() - state.opp.bit_count())
        margins.append(-min(margins[each] for each in successors) if successors else final)
    line = [start]
    while after[line[-1]]:
        line.append(min(after[line[-1]], key=margins.__getitem__))
    return line


def _texts(game: ReversedReversi, graph: Graph[State], line: list[int]) -> list[str]:
    """The moves between the positions of a line."""
    texts = []
    for before, after in pairwise(line):
        state, reached = graph.states[before], graph.states[after]
        moves = (move for move in game.legal_moves(state) if game.play(state, move) == reached)
        texts.append(game.move_to_text(next(moves)))
    return texts
