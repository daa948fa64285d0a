"""What stands beside the search for Reversi: the same algorithm in plain C, and Edax's answers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.ffo import BOARDS, PUBLISHED, Edax, published
from benchmarks.kernel import MAX_NODES, here, in_c, positions
from benchmarks.peers.programs import built
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.reversi_search import Search

MEMORY = 1 << 20
EDAX = """#!/bin/sh
for last; do :; done
grep -q 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X;' "$last" || exit 1
echo ' # | depth|score|       time   |  nodes (N)  |   N/s    | principal variation'
echo '  1|   20   +38        0:00.536      21000788   39180575 {move} B1 c1 PA b6 C7 a7'
echo "$last: 21000788 nodes in  0:00.536 (cpu =  1:00.541) (39180575 nodes/s)."
"""


@pytest.mark.skipif(not shutil.which("cc") and not shutil.which("gcc"), reason="no C compiler")
@pytest.mark.parametrize("reverse", [False, True])
def test_plain_c_finds_the_same_with_about_as_many_positions(tmp_path: Path, reverse: bool) -> None:
    """Every value is the same, and the arena's search takes no more positions than the target allows."""
    words = [str(built("endings", tmp_path)), "-1" if reverse else "1", str(MEMORY)]
    search = Search(8, 8, reversed=reverse, memory=MEMORY)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        states = positions(ReversedReversi(8, reversed=reverse), 20, 12)
        both = [(here(state, search), in_c(state, peer)) for state in states]
        assert peer.stdin
        peer.stdin.close()
    assert [mine.value for mine, _ in both] == [theirs.value for _, theirs in both]
    mine, theirs = (sum(each[side].nodes for each in both) for side in (0, 1))
    assert theirs / MAX_NODES <= mine <= theirs * MAX_NODES


def test_the_suite_has_the_published_numbers_of_empty_squares() -> None:
    """Numbers 40 to 59 have 20 to 34 empty squares, and no best move is on a disc."""
    assert list(PUBLISHED) == list(range(40, 60)) == list(BOARDS)
    empty = [ending.empty for ending in PUBLISHED.values()]
    assert (empty[0], max(empty)) == (20, 34)
    for ending in PUBLISHED.values():
        assert not any((ending.own | ending.opp) >> move & 1 for move in ending.best)


@pytest.mark.parametrize(("move", "right"), [("A2", True), ("b1", False)])
def test_what_edax_says_is_read_and_checked(
    tmp_path: Path, move: str, right: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Value, best move, positions and minutes are told, and a move not among the best is noticed."""
    program = tmp_path / "edax"
    program.write_text(EDAX.replace("{move}", move), encoding="utf-8")
    program.chmod(0o755)
    edax = Edax(program, None, MEMORY, tmp_path)
    assert (edax.solve(40).value, edax.solve(40).seconds) == (38, 60.541)
    assert published([40], 1 << 26, edax) is right
    assert "Edax 21,000,788 positions, 60.5 s" in capsys.readouterr().out
    with pytest.raises(RuntimeError, match="does not solve FFO 41"):
        edax.solve(41)
