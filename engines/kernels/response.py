"""Best responses to the random player: Markov decision processes solved by sweeps over their states.

A state is a position and whose turn it is, the responder's or the random player's. `mine` and `theirs` hold
a number for each position with either to move, and each sweep brings all of them up to date in place (value
iteration in the order of Gauss and Seidel; Puterman, *Markov Decision Processes*, 1994, section 6.3.3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.kernels.jit import Floats, Int32s, Int64s, compiled

Sides = tuple[Floats, Floats]  # mine and theirs
Near = tuple[float, float]


@compiled
def sweep_scores(starts: Int64s, successors: Int32s, mine: Floats, theirs: Floats) -> float:
    """Set each to the responder's expected score after one more ply; the greatest change.

    Positions without moves keep theirs.
    """
    change = 0.0
    for position in range(len(mine)):
        first, last = starts[position], starts[position + 1]
        if first < last:
            best, total = -1.0, 0.0
            for at in range(first, last):
                best = max(best, theirs[successors[at]])
                total += mine[successors[at]]
            mean = total / (last - first)
            change = max(change, abs(best - mine[position]), abs(mean - theirs[position]))
            mine[position], theirs[position] = best, mean
    return change


@compiled
def sweep_plies(starts: Int64s, successors: Int32s, scores: Sides, near: float, plies: Sides) -> float:
    """Set the expected plies to the end, of moves with the best score the least; the greatest change.

    `scores` and `plies` are each (mine, theirs); scores within `near` are equal.
    """
    (best_scores, their_scores), (mine, theirs) = scores, plies
    change = 0.0
    for position in range(len(mine)):
        first, last = starts[position], starts[position + 1]
        if first < last:
            least, total = np.inf, 0.0
            for at in range(first, last):
                after = successors[at]
                total += mine[after]
                if their_scores[after] >= best_scores[position] - near:
                    least = min(least, theirs[after])
            mean = 1.0 + total / (last - first)
            change = max(change, abs(1.0 + least - mine[position]), abs(mean - theirs[position]))
            mine[position], theirs[position] = 1.0 + least, mean
    return change


@compiled
def best_places(
    starts: Int64s, successors: Int32s, scores: Sides, plies: Sides, near: Near
) -> tuple[Int64s, Int64s]:
    """Where each position's best moves begin in a list, and the list: places in `successors`.

    `near` are how far scores and plies may lie apart and be equal.
    """
    (best_scores, their_scores), (mine, theirs) = scores, plies
    begin = np.zeros(len(starts), np.int64)
    places = np.empty(len(successors), np.int64)
    made = 0
    for position in range(len(starts) - 1):
        for at in range(starts[position], starts[position + 1]):
            after = successors[at]
            good = their_scores[after] >= best_scores[position] - near[0]
            if good and 1.0 + theirs[after] <= mine[position] + near[1]:
                places[made] = at
                made += 1
        begin[position + 1] = made
    return begin, places[:made]


@compiled
def solve_sets(lines: Int64s, kinds: Int64s, scores: Sides, plies: Sides, near: Near) -> int:
    """Circle Nim: fill `scores` and `plies` (each mine, theirs) set by set; how many best moves there are.

    `lines` are the circles of each move, those of one circle first, then of two and of three;
    ``kinds[k]`` is where each kind begins, the last entry where the last ends. The random player draws how
    many circles, and then the line. The empty set has its scores.
    """
    (mine, theirs), (my_plies, their_plies) = scores, plies
    count = 0
    for left in range(1, len(mine)):
        best, mean, length, used = -1.0, 0.0, 0.0, 0
        for kind in range(len(kinds) - 1):
            total, long, fitting = 0.0, 0.0, 0
            for line in range(kinds[kind], kinds[kind + 1]):
                if lines[line] & ~left == 0:
                    after = left ^ lines[line]
                    best = max(best, theirs[after])
                    total += mine[after]
                    long += my_plies[after]
                    fitting += 1
            if fitting:
                mean += total / fitting
                length += long / fitting
                used += 1
        mine[left], theirs[left] = best, mean / used
        their_plies[left] = 1.0 + length / used
        least = np.inf
        for line in range(len(lines)):
            after = left ^ lines[line]
            if lines[line] & ~left == 0 and theirs[after] >= best - near[0]:
                least = min(least, their_plies[after])
        my_plies[left] = 1.0 + least
        for line in range(len(lines)):
            count += is_best(left, lines[line], scores, plies, near)
    return count


@compiled
def is_best(left: int, line: int, scores: Sides, plies: Sides, near: Near) -> Any:  # of entries
    """Whether a line of circles can be taken from a set and is one of the best to take."""
    if line & ~left:
        return False
    (mine, theirs), (my_plies, their_plies) = scores, plies
    after = left ^ line
    return theirs[after] >= mine[left] - near[0] and 1.0 + their_plies[after] <= my_plies[left] + near[1]


@compiled
def best_lines(lines: Int64s, solved: tuple[Sides, Sides], near: Near, begin: Int64s, moves: Int64s) -> None:
    """Write down the best moves of every set, and where they begin; `solved` are scores and plies."""
    scores, plies = solved
    made = 0
    for left in range(1, len(begin) - 1):
        for line in range(len(lines)):
            if is_best(left, lines[line], scores, plies, near):
                moves[made] = line
                made += 1
        begin[left + 1] = made
