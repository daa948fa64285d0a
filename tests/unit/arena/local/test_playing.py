"""A game at the terminal as a table has it: clocks, what is taken back, and what is kept; nothing waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.local.playing import Act, Leave, Restart, Table, Undo
from engines.games import find_game
from workers.core.contract import MatchRecord, TimeControl
from workers.play.clock import NS_PER_MS

NIM = find_game("heap_nim", {"heaps": [1, 1, 1]})
RULE = TimeControl(move_ms=60_000, extensions=1, extension_ms=120_000)
Line = tuple[float, str | Act | None]


class Script:
    """A talk in which each thing is said after so many seconds; at the end the person leaves."""

    def __init__(self, *lines: Line) -> None:
        self.lines = list(lines)
        self.now_ns = 0
        self.seen: list[tuple[int, int, list[int]]] = []
        self.ends: list[MatchRecord] = []

    def show(self, table: Table) -> None:
        left = [table.clock(0).extensions_left, table.clock(1).extensions_left]
        self.seen.append((len(table.moves), round(table.left_ns / 1e9), left))

    def listen(self, table: Table, legal: Sequence[str]) -> str | Act | None:
        del table, legal
        seconds, said = self.lines.pop(0) if self.lines else (0, Leave())
        self.now_ns += round(seconds * 1000) * NS_PER_MS
        return said

    def tell(self, table: Table, record: MatchRecord) -> None:
        del table
        self.ends.append(record)


def _played(control: TimeControl | None, *lines: Line) -> tuple[Script, list[MatchRecord]]:
    """Two people play; what they saw, and the games that were kept."""
    script, kept = Script(*lines), list[MatchRecord]()
    table = Table(NIM, None, 0, control, script, now=_clock(script))
    table.play(kept.append)
    assert script.ends == kept
    return script, kept


def _clock(script: Script) -> Callable[[], int]:
    return lambda: script.now_ns


def test_a_person_may_take_longer_as_often_as_there_are_extensions() -> None:
    """The class's rule: a slow answer spends an extension, and who is slow without one has lost on time."""
    script, kept = _played(RULE, (59, "1:1"), (5, "2:1"), (90, "3:1"))
    assert [left for _, _, left in script.seen] == [[1, 1], [1, 1], [1, 1]]
    assert [seconds for _, seconds, _ in script.seen] == [120, 120, 120]
    assert kept[0].result.winner == 0
    assert [move.extension for move in kept[0].result.moves] == [False, False, True]
    assert kept[0].result.seats[0].extensions_used == 1
    script, kept = _played(RULE, (90, "1:1"), (5, "2:1"), (61, "3:1"))
    assert script.seen[-1] == (2, 60, [0, 1])
    assert (kept[0].result.winner, kept[0].result.reason) == (1, "timeout")
    assert len(kept[0].result.moves) == 2


def test_looking_does_not_stop_the_clock() -> None:
    """What is answered meanwhile counts as thinking: nobody gains time by asking."""
    _, kept = _played(RULE, (50, None), (50, None), (30, "1:1"))
    assert kept[0].result.reason == "timeout"


def test_a_clock_for_the_game_runs_out() -> None:
    """Each side has its own bank, which its moves fill up, and loses when it is empty."""
    bank = TimeControl(move_ms=1, extensions=0, extension_ms=1, bank_ms=10_000, increment_ms=2_000)
    _, kept = _played(bank, (9, "1:1"), (1, "2:1"), (2.9, "3:1"))
    assert kept[0].result.reason == "took_the_last"
    _, kept = _played(bank, (9, "1:1"), (1, "2:1"), (3.2, "3:1"))
    assert (kept[0].result.winner, kept[0].result.reason) == (1, "timeout")


def test_an_hour_is_left_where_no_clock_was_chosen() -> None:
    """Nobody is hurried, and the board is not left for ever."""
    script, _ = _played(None, (3599, "1:1"))
    assert script.seen[0][1] == 3600


def test_what_is_taken_back_gives_its_time_back_and_is_not_in_the_record() -> None:
    """After an undo, and a new beginning, the record has the moves that stand, and what these took."""
    _, kept = _played(RULE, (90, "1:1"), (1, Undo()), (2, "3:1"), (1, "2:1"), (70, "1:1"))
    assert [move.move for move in kept[0].result.moves] == ["3:1", "2:1", "1:1"]
    assert [move.wall_ns / 1e9 for move in kept[0].result.moves] == [2, 1, 70]
    assert kept[0].result.winner == 0
    _, kept = _played(RULE, (1, "1:1"), (1, Restart()), (1, "2:1"))
    assert [move.move for move in kept[0].result.moves] == ["2:1"]
    assert kept[0].result.reason == "resign"


def test_a_game_that_is_over_can_be_taken_back_or_begun_again() -> None:
    """Every game that came to its end is kept; an undo after it goes on, also after a loss on time."""
    whole = [(1, "1:1"), (1, "2:1"), (1, "3:1")]
    _, kept = _played(None, *whole, (0, None), (0, Undo()), (1, "3:1"), (0, Restart()), *whole)
    assert [record.result.reason for record in kept] == ["took_the_last"] * 3
    late: list[Line] = [(1, "1:1"), (500, "2:1"), (0, Undo()), *whole]
    _, kept = _played(RULE, *late)
    assert [record.result.reason for record in kept] == ["timeout", "took_the_last"]
    assert [len(record.result.moves) for record in kept] == [1, 3]
