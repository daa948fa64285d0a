"""Heap Nim solved: a table of everything that the heaps can come to, or the XOR rule where that is too much.

Normal play: a position is lost for the side to move where the XOR of the heaps is 0 (Bouton, *Nim, a game
with a complete mathematical theory*, Annals of Mathematics 1901). Misère play: likewise while some heap
holds two or more, and the other way round when none does. The documents call lost positions safe, because
it is safe to leave them to the opponent, and won ones unsafe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import product
from math import prod
from operator import xor

from engines.games.heap_nim import STRIDE, HeapNim, State
from engines.solvers.oracle import (
    Oracle,
    Progress,
    Solution,
    SolverError,
    Value,
    before,
    decoded,
    no_progress,
)
from engines.solvers.tables import open_table

CONTENT = "heaps-1"

MAX_IN_A_TABLE = 1 << 24
"""Positions of which the perfect player keeps a table: two bytes each."""

MAX_IN_A_RESPONSE = 1 << 20
"""Positions of which a best response is found."""

MAX_IN_A_GRAPH = 1 << 24
"""Moves of a graph that kernels keep in memory: 128 MB, and as much again for each player."""

MAX_ANALYSED = 10**8
"""Positions that an analysis counts one by one."""


def xor_of(heaps: Sequence[int]) -> int:
    """The XOR of what the heaps hold."""
    return reduce(xor, heaps)


def lost(heaps: Sequence[int], *, misere: bool) -> bool:
    """Whether the side to move loses by the XOR rule."""
    return (xor_of(heaps) == 0) != (misere and max(heaps) <= 1)


def positions(game: HeapNim) -> int:
    """How many positions the heaps can come to."""
    return prod(size + 1 for size in game.heaps)


def moves(game: HeapNim) -> int:
    """How many moves these positions have in all."""
    return positions(game) * sum(game.heaps) // 2


def fits_a_graph(game: HeapNim) -> bool:
    """Whether kernels can keep its graph in memory."""
    return moves(game) <= MAX_IN_A_GRAPH


def number_of(sizes: Sequence[int], state: State) -> int:
    """The number of a position of heaps that began with these sizes: a digit a heap."""
    number = 0
    for size, held in zip(sizes, state.heaps, strict=True):
        number = number * (size + 1) + held
    return number


def numbering(game: HeapNim) -> Callable[[State], int]:
    """How a best response numbers the positions of `game`.

    Raises:
        SolverError: there are too many.
    """
    if positions(game) > MAX_IN_A_RESPONSE or not fits_a_graph(game):
        raise SolverError(
            "best_response plays heap_nim with up to %(most_positions)s positions and"
            " %(most_moves)s moves, not %(positions)s and %(moves)s",
            most_positions=f"{MAX_IN_A_RESPONSE:,}",
            most_moves=f"{MAX_IN_A_GRAPH:,}",
            positions=f"{positions(game):,}",
            moves=f"{moves(game):,}",
        )
    return partial(number_of, game.heaps)


class TableOracle(Oracle[State]):
    """Values from a table of 16-bit codes, in the machine's byte order."""

    def __init__(self, game: HeapNim, table: memoryview) -> None:
        self._sizes = game.heaps
        self.codes = table.cast("H")

    def value(self, state: State) -> Value:
        """The value of any position."""
        return decoded(self.codes[number_of(self._sizes, state)])


class RuleOracle(Oracle[State]):
    """Who wins by the XOR rule, at no known distance. A winner takes as many as it can, a loser only one."""

    def __init__(self, game: HeapNim) -> None:
        self._misere = game.misere

    def value(self, state: State) -> Value:
        """Who wins, at no known distance."""
        return Value(-1 if lost(state.heaps, misere=self._misere) else 1, None)

    def promise(self, state: State) -> int:
        """A winner, who moves into a lost position, had better leave few, and a loser many."""
        left = sum(state.heaps)
        return -left if lost(state.heaps, misere=self._misere) else left


def find_oracle(game: HeapNim, progress: Progress = no_progress) -> TableOracle | RuleOracle:
    """The exact values of heap Nim; without distances if there are more than `MAX_IN_A_TABLE` positions."""
    if positions(game) > MAX_IN_A_TABLE:
        return RuleOracle(game)

    def build(progress: Progress) -> memoryview:
        from engines.solvers.heaps import solve_heaps

        return solve_heaps(game.heaps, misere=game.misere, progress=progress).data.cast("B")

    return TableOracle(game, open_table(game, CONTENT, build, progress))


def all_positions(game: HeapNim) -> tuple[int, Iterator[State]]:
    """How many positions the heaps can come to, and each of them, by its index; seat 0 is to move."""
    states = (State(heaps, 0) for heaps in product(*(range(size + 1) for size in game.heaps)))
    return positions(game), states


def analyse(game: HeapNim, *, progress: Progress = no_progress) -> Solution:
    """Who wins and by which moves, how many positions are safe, and the XOR rule against every one of them.

    The rule is compared with the outcomes of this game, and Grundy numbers with the XOR of the heaps; those
    belong to normal play whichever is played here.

    Raises:
        SolverError: there are more than `MAX_ANALYSED` positions; the message tells what the rule says.
    """
    if positions(game) > MAX_ANALYSED:
        found, most = f"{positions(game):,}", f"{MAX_ANALYSED:,}"
        if lost(game.heaps, misere=game.misere):
            raise SolverError(
                "these heaps have %(found)s positions, and no more than %(most)s are solved; by the XOR rule"
                " the second player wins",
                found=found,
                most=most,
            )
        raise SolverError(
            "these heaps have %(found)s positions, and no more than %(most)s are solved; by the XOR rule"
            " the first player wins",
            found=found,
            most=most,
        )
    from engines.solvers.heaps import grundy_against_xor, rule_against_codes, solve_heaps

    codes = solve_heaps(game.heaps, misere=game.misere, progress=_half(progress, 0))
    oracle = TableOracle(game, codes.data.cast("B"))
    safe, wrong = rule_against_codes(game.heaps, codes, misere=game.misere)
    value = oracle.value(game.initial())
    return {
        "game": game.name,
        "params": game.params,
        "winner": "first" if value.result > 0 else "second",
        "distance": value.distance,
        "xor": xor_of(game.heaps),
        "winning_moves": _winning_moves(game, oracle),
        "positions": {"all": len(codes), "safe": safe, "unsafe": len(codes) - safe},
        "rule_wrong": wrong,
        "grundy_not_xor": grundy_against_xor(game.heaps, _half(progress, 1)),
    }


def _winning_moves(game: HeapNim, oracle: Oracle[State]) -> list[Solution]:
    """The first moves that win, as the document's hint has them: which heap, and how many are left of it."""
    start = game.initial()
    winning = []
    for move in game.legal_moves(start):
        heap, taken = divmod(move, STRIDE)
        value = before(oracle.value(game.play(start, move)))
        if value.result > 0:
            told = {"move": game.move_to_text(move), "heap": heap + 1, "left": game.heaps[heap] - taken}
            winning.append(told | {"distance": value.distance})
    return winning


def _half(progress: Progress, number: int) -> Progress:
    return lambda done, total: progress(number * total + done, 2 * total)
