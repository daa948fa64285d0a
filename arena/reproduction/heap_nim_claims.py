"""What is computed about the claims of the heap-Nim document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from itertools import product
from operator import xor

from arena.documents import heap_nim as document
from arena.reproduction.claims import Fact, fact
from engines.game import Move
from engines.games.heap_nim import MAX_HEAPS, HeapNim, State
from engines.solvers import Oracle
from engines.strategies.heap_nim import ExclusiveOr
from engines.stream import Stream


def computed(game: HeapNim, oracle: Oracle[State], against_code: int) -> Iterator[Fact]:
    """What decides the claims that no comparison does, and the numbers of their answers."""
    yield _safe_moves(game, oracle)
    unsafe = [heaps for heaps in positions() if reduce(xor, heaps)]
    won = sum(map(wins_always(ExclusiveOr(game).choose, game), unsafe))
    yield fact("always-wins", won == len(unsafe), unsafe=len(unsafe), won=won)
    yield fact("computerzug", against_code == 0)
    yield fact("hint-in-safe", oracle.value(State(document.HEAPS_AFTER, 0)).result >= 0)
    yield fact("heaps-menu", most=MAX_HEAPS)


def positions() -> Iterator[tuple[int, ...]]:
    """What 3, 4, 5 can become."""
    return product(*(range(held + 1) for held in document.HEAPS))


def wins_always(
    choose: Callable[[State, Sequence[Move], Stream], Move], game: HeapNim
) -> Callable[[tuple[int, ...]], bool]:
    """Whether the side to move wins from given heaps whatever is answered, if it moves as `choose` says."""

    @cache
    def wins(heaps: tuple[int, ...]) -> bool:
        after = game.play(State(heaps, 0), choose(State(heaps, 0), (), Stream("reproduction", *heaps)))
        outcome = game.outcome(after)
        if outcome is not None:
            return outcome.winner == 0
        answers = (game.play(after, move) for move in game.legal_moves(after))
        return all(game.outcome(answer) is None and wins(answer.heaps) for answer in answers)

    return wins


def _safe_moves(game: HeapNim, oracle: Oracle[State]) -> Fact:
    wrong = checked = 0
    for heaps in positions():
        state = State(heaps, 0)
        after = [oracle.value(game.play(state, move)).result for move in game.legal_moves(state)]
        safe = oracle.value(state).result < 0
        checked += 1
        wrong += any(result < 0 for result in after) == safe
    return fact("safe-moves", wrong == 0, checked=checked)
