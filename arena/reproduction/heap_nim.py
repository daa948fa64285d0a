"""The heap-Nim document: its worked example, its rule on every position, and its hint."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import product
from typing import NamedTuple

from arena.documents import heap_nim as document
from arena.documents.inventory import DOCUMENTS
from arena.documents.texts import Words
from arena.reproduction import heap_nim_claims
from arena.reproduction.claims import answered
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Comment, Exhibit, Grid, Section, counted
from arena.reproduction.record_sets import Where
from arena.reproduction.texts import comment
from engines.games.heap_nim import MAX_HEAPS, MIN_HEAPS, STRIDE, HeapNim, State
from engines.solvers import Oracle, find_oracle
from engines.solvers.heap_nim import analyse

SAFE, UNSAFE = "安全 safe", "不安全 unsafe"

Heaps = tuple[int, ...]


class Checked(NamedTuple):
    """The document's rule on every position that the heaps 3, 4, 5 can become.

    `against_rule` positions have a value that the rule does not give; `against_code` are those in which its
    code, which accepts a heap that stays the same, moves otherwise than the rule; `against_grundy` those
    whose Grundy value is not the exclusive or.
    """

    positions: int
    safe: int
    against_rule: int
    against_code: int
    against_grundy: int


def steps(_effort: Effort) -> int:
    """How often `reproduce` reports progress."""
    return 1


def reproduce(_effort: Effort, _where: Where, advance: Callable[[], None]) -> Section:
    """The section of the report; `advance` is called `steps` times."""
    game = HeapNim(document.HEAPS)
    oracle = find_oracle(game)
    made = section(game, oracle)
    advance()
    return made


def section(game: HeapNim, oracle: Oracle[State]) -> Section:
    """The section with the exact values of `game`."""
    checked = check(game, oracle)
    exhibits = (_truth_table(), _example(game, oracle), _rule(checked), _menu())
    compared = [each for exhibit in exhibits for each in exhibit.comparisons]
    return Section(
        "nim",
        *DOCUMENTS["nim"],
        exhibits,
        comments=tuple(_comments(game, oracle, checked)),
        claims=answered("nim", compared, heap_nim_claims.computed(game, oracle, checked.against_code)),
    )


def exclusive_or(heaps: Heaps) -> int:
    """The exclusive or of all heaps."""
    return reduce(operator.xor, heaps)


def hint(heaps: Heaps, accepted: Callable[[int, int], bool] = operator.lt) -> tuple[int, int] | None:
    """The heap (from 1) and how many are left of it, the first that fits; None in a safe position.

    `accepted` compares what is left with what there is: the rule needs fewer.
    """
    total = exclusive_or(heaps)
    moves = ((at, held ^ total) for at, held in enumerate(heaps, start=1) if accepted(held ^ total, held))
    return next(moves, None) if total else None


def check(game: HeapNim, oracle: Oracle[State]) -> Checked:
    """The rule and the code on every position."""
    positions = list(product(*(range(held + 1) for held in document.HEAPS)))
    lost = {heaps: oracle.value(State(heaps, 0)).result < 0 for heaps in positions}
    return Checked(
        len(positions),
        sum(lost.values()),
        sum(lost[heaps] != (exclusive_or(heaps) == 0) for heaps in positions),
        sum(hint(heaps) != hint(heaps, operator.le) for heaps in positions),
        analyse(game)["grundy_not_xor"],
    )


def _truth_table() -> Exhibit:
    comparisons = (
        counted(f"table-1/{a}{b}", Words(f"{a} ⊕ {b}", f"{a} xor {b}"), printed, a ^ b)
        for (a, b), printed in document.TRUTH_TABLE.items()
    )
    return Exhibit("table-1", Words("表 1　異或真值表", "Table 1. Exclusive or"), tuple(comparisons))


def _example(game: HeapNim, oracle: Oracle[State]) -> Exhibit:
    """Table 2: 3, 4, 5 and the move that wins."""
    heaps, after = document.HEAPS, document.HEAPS_AFTER
    total, then = exclusive_or(heaps), exclusive_or(after)
    here = f"{document.HEAP}, {document.LEFT}"
    hinted = hint(heaps)
    comparisons = [
        counted(
            f"table-2/binary-{held}",
            Words(f"{held} 的二進位", f"{held} in binary"),
            binary,
            f"{held:03b}",
            (at, 2),
        )
        for at, (held, binary) in enumerate(zip(heaps, document.BINARY, strict=True))
    ]
    comparisons += [
        counted("table-2/xor", Words("3 ⊕ 4 ⊕ 5", "3 xor 4 xor 5"), document.XOR, f"{total:03b}", (3, 2)),
        counted(
            "table-2/before",
            Words("3, 4, 5（完美下法）", "3, 4, 5 (exact value)"),
            UNSAFE,
            _named(oracle, heaps),
        ),
        counted(
            "table-2/hint",
            Words("提示：第幾排、剩下幾個", "hint: heap, how many are left"),
            here,
            "{}, {}".format(*hinted or ("", "")),
        ),
        counted("table-2/after", Words("之後的各排", "heaps after it"), after, _after(game), None),
        counted(
            "table-2/xor-after",
            Words("1 ⊕ 4 ⊕ 5", "1 xor 4 xor 5"),
            document.XOR_AFTER,
            f"{then:03b}",
            (4, 2),
        ),
        counted(
            "table-2/safe", Words("1, 4, 5（完美下法）", "1, 4, 5 (exact value)"), SAFE, _named(oracle, after)
        ),
    ]
    rows = [(str(held), "=", binary) for held, binary in zip(heaps, document.BINARY, strict=True)]
    rows += [("⊕", "=", f"{document.XOR} {UNSAFE}"), ("1 ⊕ 4 ⊕ 5", "=", f"{document.XOR_AFTER} {SAFE}")]
    grid = Grid(("棒子數", "", "二進位數"), tuple(rows))
    return Exhibit(
        "table-2", Words("表 2　實際計算流程", "Table 2. A worked example"), tuple(comparisons), grid
    )


def _named(oracle: Oracle[State], heaps: Heaps) -> str:
    """The document's word for a position, by its exact value."""
    return SAFE if oracle.value(State(heaps, 0)).result < 0 else UNSAFE


def _after(game: HeapNim) -> Heaps:
    """The heaps after the document's move."""
    taken = document.HEAPS[document.HEAP - 1] - document.LEFT
    return game.play(game.initial(), (document.HEAP - 1) * STRIDE + taken).heaps


def _rule(checked: Checked) -> Exhibit:
    """The rule on all positions: exclusive or 0 is safe, anything else is not."""
    comparisons = (
        counted(
            "rule/exceptions",
            Words(
                f"{checked.positions} 個盤面中不合規則者",
                f"exceptions to the rule among {checked.positions} positions",
            ),
            0,
            checked.against_rule,
        ),
        counted(
            "rule/grundy",
            Words("Grundy 值不等於異或者", "positions whose Grundy value is not the exclusive or"),
            0,
            checked.against_grundy,
        ),
    )
    title = Words("安全與不安全殘局：所有盤面", "Safe and unsafe: every position")
    return Exhibit("rule", title, comparisons)


def _menu() -> Exhibit:
    comparison = counted(
        "menu/heaps",
        Words("可選的排數", "numbers of heaps to choose from"),
        "–".join(map(str, document.ROWS)),
        f"{MIN_HEAPS}–{MAX_HEAPS}",
    )
    return Exhibit("menu", Words("更改排數", "The menu of heaps"), (comparison,))


def _comments(game: HeapNim, oracle: Oracle[State], checked: Checked) -> Iterator[Comment]:
    if not checked.against_rule:
        unsafe = checked.positions - checked.safe
        yield comment("nim", "rule", ("rule/exceptions",), checked=checked, unsafe=unsafe)
    if not checked.against_code:
        yield comment("nim", "code", ("table-2/hint",))
    after = [game.play(game.initial(), move) for move in game.legal_moves(game.initial())]
    if sum(oracle.value(state).result < 0 for state in after) == 1:
        yield comment("nim", "only-move", ("table-2/hint",))
