"""Proofs: what was solved is proven by the rules alone, and what was tampered with is refused at its line."""

from __future__ import annotations

import ast
import inspect
import json
from functools import cache
from hashlib import sha256

import pytest

from engines.games.reversed_reversi import ReversedReversi
from engines.solvers import reversi_verifier
from engines.solvers.reversi_board import Board
from engines.solvers.reversi_cut import Cut
from engines.solvers.reversi_proof import proof
from engines.solvers.reversi_verifier import ProofError, verify
from tests.unit.engines.solvers.cutting import by_the_rules, solved

VALUES = {False: -8, True: 3}
"""On 4 by 4 squares, by the ordinary rule and where fewer discs win."""


@cache
def proven(fewest: bool, frontier: int = 5, workers: int = 1, seed: int = 0) -> tuple[str, ...]:
    """The lines of a proof, without their ends."""
    board = Board(4, 4, fewest)
    cut = Cut(board, board.start(), frontier)
    solved(cut, by_the_rules(board), workers=workers, seed=seed, losses=0.1)
    return tuple(each.decode()[:-1] for each in proof(ReversedReversi(4, fewest), cut))


def signed(lines: list[str]) -> list[bytes]:
    """The lines with a checksum that is right, whatever was done to them."""
    body = [f"{each}\n".encode() for each in lines[:-1]]
    return [*body, f"end {sha256(b''.join(body)).hexdigest()}\n".encode()]


def refused(lines: list[str]) -> ProofError:
    """How the lines are refused, with all leaves solved."""
    with pytest.raises(ProofError) as error:
        verify(signed(lines), sample=None, plain=True)
    return error.value


@pytest.mark.parametrize("fewest", VALUES)
@pytest.mark.parametrize(
    ("frontier", "workers", "seed"), [(5, 1, 0), (5, 4, 1), (5, 30, 2), (2, 1, 0), (9, 3, 3)]
)
def test_whatever_was_solved_is_proven(fewest: bool, frontier: int, workers: int, seed: int) -> None:
    """For any workers, losses and frontiers the proof holds, by the plain rules, to its last leaf."""
    lines = proven(fewest, frontier, workers, seed)
    found = verify((f"{each}\n".encode() for each in lines), sample=None, plain=True)
    assert (found.value, found.params) == (VALUES[fewest], {"size": 4, "reversed": fewest})
    assert found.leaves == found.solved == sum(each.startswith("leaf") for each in lines)
    assert found.positions == len(lines) - 4
    assert 0 < found.kept <= found.positions


def test_a_sample_is_drawn_by_its_seed() -> None:
    """So many leaves are solved, however many there are; all are where the sample is larger."""
    lines = [f"{each}\n".encode() for each in proven(fewest=True)]
    leaves = verify(lines, sample=0, plain=True).leaves
    assert [verify(lines, sample=n, plain=True).solved for n in (0, 3, leaves + 9)] == [0, 3, leaves]


def test_a_sample_finds_a_false_leaf_as_often_as_it_draws_it() -> None:
    """With other seeds other leaves are drawn: each false claim is found by some seed, and not by all."""
    lines = [
        each.replace("8", "7") if each in ("at least -8", "at most -8") else each for each in proven(False)
    ]
    lines[0] = json.dumps(json.loads(lines[0]) | {"value": -7})
    told = set()
    for seed in range(30):
        try:
            verify(signed(lines), sample=3, seed=seed, plain=True)
        except ProofError as error:
            told.add(error.line)
        else:
            told.add(0)
    assert 0 in told
    assert len(told) > 1


@pytest.mark.parametrize("fewest", VALUES)
@pytest.mark.parametrize("change", [-1, 1])
def test_another_value_is_refused(fewest: bool, change: int) -> None:
    """One more or one less, in every place that says it: some leaf of one of the halves is false."""
    value = VALUES[fewest]
    lines = [
        f"{each.rpartition(' ')[0]} {value + change}" if each.startswith("at ") else each
        for each in proven(fewest)
    ]
    lines[0] = json.dumps(json.loads(lines[0]) | {"value": value + change})
    error = refused(lines)
    assert "is worth" in error.why
    assert lines[error.line - 1].startswith("leaf")


def test_a_value_that_stands_in_one_place_only_is_refused() -> None:
    """What the first line claims is what each half is about."""
    lines = list(proven(fewest=False))
    lines[0] = json.dumps(json.loads(lines[0]) | {"value": -6})
    assert refused(lines).line == 2


@pytest.mark.parametrize("fewest", VALUES)
def test_a_line_that_is_left_out_is_missed(fewest: bool) -> None:
    """Each of them: the refusal names the line that leads there, or one that nothing leads to any more."""
    lines = list(proven(fewest))
    for at in range(len(lines) - 1):
        error = refused(lines[:at] + lines[at + 1 :])
        assert 1 <= error.line <= len(lines)
        if lines[at].startswith("leaf"):
            assert lines[at].split(" ")[1] in error.why
            assert error.line <= at


@pytest.mark.parametrize("fewest", VALUES)
def test_a_line_that_is_doubled_is_refused_where_it_stands_again(fewest: bool) -> None:
    """Each of them, at once behind itself."""
    lines = list(proven(fewest))
    for at in range(1, len(lines) - 1):
        assert refused([*lines[: at + 1], lines[at], *lines[at + 1 :]]).line == at + 2


def test_a_move_that_is_changed_is_refused() -> None:
    """Another legal move leads where nothing follows, and one that is none is refused at its line."""
    lines = list(proven(fewest=False))
    game = ReversedReversi(4, reversed=False)
    changed = 0
    for at, each in enumerate(lines):
        if not each.startswith("move"):
            continue
        kind, board, side, move = each.split(" ")
        rows = [board[row : row + 4] for row in range(0, 16, 4)]
        state = game.state_from_json({"board": rows, "to_move": side})
        places = {
            game.canonical(game.play(state, one)): game.move_to_text(one) for one in game.legal_moves(state)
        }
        mine = game.canonical(game.play(state, game.move_from_text(move)))
        for other in (text for place, text in places.items() if place != mine):
            error = refused([*lines[:at], f"{kind} {board} {side} {other}", *lines[at + 1 :]])
            assert error.line > at
            changed += 1
        error = refused([*lines[:at], f"{kind} {board} {side} z9", *lines[at + 1 :]])
        assert (error.line, "not allowed" in error.why) == (at + 1, True)
    assert changed > 5


def test_another_board_is_refused_at_its_line() -> None:
    """A disc of the other side makes it a position to which nothing leads."""
    lines = list(proven(fewest=True))
    for at, each in enumerate(lines):
        if each.split(" ")[0] in ("move", "all", "leaf"):
            kind, board, *rest = each.split(" ")
            at_disc = min(board.find(disc) for disc in "XO" if disc in board)
            other = f"{board[:at_disc]}{'O' if board[at_disc] == 'X' else 'X'}{board[at_disc + 1 :]}"
            error = refused([*lines[:at], " ".join((kind, other, *rest)), *lines[at + 1 :]])
            assert error.line <= at + 1


@pytest.mark.parametrize(
    ("change", "line", "why"),
    [
        (lambda lines: lines.insert(2, "leaf .....OX..XO..... X"), 3, "more than 5 empty"),
        (lambda lines: lines.insert(2, "all .....OX..XO..... X"), 3, "one move is for"),
        (lambda lines: lines.insert(2, "all .....OX..XO....? X"), 3, "board must be"),
        (lambda lines: lines.insert(2, "all .....OX..XO...... X"), 3, "board must be"),
        (lambda lines: lines.insert(2, "all .....OX..XO.....  X"), 3, "has 3 words"),
        (lambda lines: lines.insert(1, "hello"), 2, "at least"),
        (lambda lines: lines.__setitem__(0, "{}"), 1, "does not say"),
        (lambda lines: lines.__setitem__(0, lines[0].replace('"size": 4', '"size": 5')), 1, "parameters"),
        (lambda lines: lines.__setitem__(0, lines[0].replace("reversed_reversi", "chess")), 1, "chess"),
        (lambda lines: lines.__setitem__(0, lines[0].replace('"size": 4', '"size": 6')), 3, "board must be"),
    ],
)  # fmt: skip
def test_what_is_no_proof_is_refused(change: object, line: int, why: str) -> None:
    """Lines that are none, another game, and leaves where the game is not nearly over."""
    lines = list(proven(fewest=False))
    assert callable(change)
    change(lines)
    error = refused(lines)
    assert (error.line, why in error.why) == (line, True), error


@pytest.mark.parametrize(
    "claim",
    [
        {"value": 2**63},
        {"value": 10**400},
        {"value": -17},
        {"params": []},
        {"params": {"x": 1}},
    ],
)
def test_a_claim_that_cannot_be_is_refused_at_once(claim: dict[str, object]) -> None:
    """By no board, whatever its proof says."""
    lines = list(proven(fewest=True))
    lines[0] = json.dumps(json.loads(lines[0]) | claim)
    assert refused(lines).line == 1


def test_a_proof_of_the_other_rule_is_refused() -> None:
    """The same lines do not prove it where fewer discs win."""
    lines = list(proven(fewest=False))
    lines[0] = lines[0].replace("false", "true")
    assert lines[refused(lines).line - 1].startswith("leaf")


def test_a_change_that_the_rules_allow_is_found_by_the_checksum() -> None:
    """A board that is turned is the same position, and the file still another."""
    lines = [f"{each}\n".encode() for each in proven(fewest=False)]
    lines[2] = lines[2].replace(b"b1", b"a2")
    with pytest.raises(ProofError, match=f"line {len(lines)}: the checksum"):
        verify(lines, sample=0, plain=True)


def test_a_proof_that_is_cut_or_longer_is_refused() -> None:
    """Cut off at any line or within one, or with something behind its end."""
    lines = [f"{each}\n".encode() for each in proven(fewest=False)]
    for broken in (lines[:-1], lines[:9], lines[:1], [], [*lines[:-1], lines[-1][:-1]], [*lines, b"more\n"]):
        with pytest.raises(ProofError):
            verify(broken, sample=0, plain=True)


def test_the_verifier_uses_nothing_of_what_made_the_proof() -> None:
    """Of this project it imports the plain rules, and the search where it is not to do without."""
    tree = ast.parse(inspect.getsource(reversi_verifier))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {
        module for module in found if module and module.startswith(("engines", "arena", "workers", "bots"))
    }
    assert ours == {"engines.game", "engines.games.reversed_reversi", "engines.solvers.reversi_search"}
