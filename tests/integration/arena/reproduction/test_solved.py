"""The sections from exact solutions: what agrees, what differs, no comment on what was not found."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from arena.documents import l_game as l_game_document
from arena.documents.inventory import Standing
from arena.reproduction import (
    heap_nim,
    heap_nim_claims,
    l_game,
    l_game_facts,
    rhombic_chess,
    rhombic_chess_facts,
)
from arena.reproduction.effort import DEFAULT
from arena.reproduction.findings import Section, Verdict
from arena.reproduction.l_game_codes import code, decode
from arena.reproduction.l_game_facts import Facts
from arena.reproduction.rhombic_chess_facts import Facts as RhombicFacts
from engines.games.heap_nim import HeapNim
from engines.games.l_game import LGame
from engines.games.rhombic_chess import RhombicChess
from engines.solvers.l_game import analyse as analyse_l_game
from engines.solvers.rhombic_boards import is_ours
from engines.solvers.rhombic_chess import analyse as analyse_rhombic_chess
from engines.strategies.heap_nim import ExclusiveOr
from tests.integration.arena.reproduction.conftest import HERE


@pytest.fixture(scope="module")
def solved_l_game() -> dict[str, Any]:
    """The analysis of the L-Game."""
    return analyse_l_game(LGame())


@pytest.fixture(scope="module")
def known_l_game() -> Facts:
    """What is known of the L-Game beyond it."""
    return l_game_facts.facts()


@pytest.fixture(scope="module")
def known_rhombic_chess() -> RhombicFacts:
    """What is known of rhombic chess beyond its analysis, with few games."""
    return rhombic_chess_facts.facts(10, HERE, lambda: None)


@pytest.fixture(scope="module")
def solved_rhombic_chess() -> dict[str, Any]:
    """The analysis of rhombic chess."""
    return analyse_rhombic_chess(RhombicChess())


def wrong(section: Section) -> list[str]:
    """The comparisons that do not agree exactly."""
    return [each.key for each in section.comparisons() if each.verdict is not Verdict.EXACT]


def words(section: Section) -> str:
    """All comments in English."""
    return "\n".join(comment.words.en for comment in section.comments)


def test_every_count_of_the_l_game_document_is_exact(
    solved_l_game: dict[str, Any], known_l_game: Facts
) -> None:
    """All positions, both histograms, the rounds, the claims and each hint agree; following all may lose."""
    section = l_game.section(solved_l_game, known_l_game)
    assert wrong(section) == ["hints/go-on"]
    assert len(list(section.comparisons())) > 60


def test_another_count_would_differ(solved_l_game: dict[str, Any], known_l_game: Facts) -> None:
    """A histogram with one position moved differs in two columns and their marks."""
    changed = copy.deepcopy(solved_l_game)
    changed["moves"]["histogram"][1]["positions"] -= 1
    changed["moves"]["histogram"][2]["positions"] += 1
    assert wrong(l_game.section(changed, known_l_game)) == ["children/13", "children/26", "hints/go-on"]


def test_comments_on_the_l_game_need_their_numbers(
    solved_l_game: dict[str, Any], known_l_game: Facts
) -> None:
    """Were some position with many moves not won, the comment that all are would not stand there."""
    assert "all of them win" in words(l_game.section(solved_l_game, known_l_game))
    changed = copy.deepcopy(solved_l_game)
    changed["many_moves"][0]["won"] -= 1
    assert "all of them win" not in words(l_game.section(changed, known_l_game))


def test_rhombic_chess_differs_in_the_rows_for_six_to_nine_stones(
    solved_rhombic_chess: dict[str, Any], known_rhombic_chess: RhombicFacts
) -> None:
    """Those rows and the empty board differ; ten, one to five stones and the theorem agree."""
    section = rhombic_chess.section(solved_rhombic_chess, known_rhombic_chess)
    assert {key.split("/")[1] for key in wrong(section)} == {"9", "8", "7", "6", "0"}
    told = words(section)
    assert "9: won +0, lost +680, drawn -680" in told
    assert "There is 1 board without stones" in told


def test_the_slips_are_named_only_if_they_give_all_rows(
    solved_rhombic_chess: dict[str, Any], known_rhombic_chess: RhombicFacts
) -> None:
    """Without the rule that reproduces the document's rows nothing is said of slips."""
    assert "Two slips in a program would give all of these rows" in words(
        rhombic_chess.section(solved_rhombic_chess, known_rhombic_chess)
    )
    changed = copy.deepcopy(solved_rhombic_chess)
    changed["rules"] = changed["rules"][:-1]
    assert "Two slips in a program" not in words(rhombic_chess.section(changed, known_rhombic_chess))


def test_heap_nim_agrees_everywhere() -> None:
    """The worked example, the truth table and the rule on all 120 positions are exact."""
    done: list[None] = []
    section = heap_nim.reproduce(DEFAULT, HERE, lambda: done.append(None))
    assert len(done) == heap_nim.steps(DEFAULT)
    assert wrong(section) == []
    assert "Of the 120 positions" in words(section)


def test_the_hint_leaves_an_exclusive_or_of_zero() -> None:
    """The first heap that can be made to fit is named with what is left; a safe position has no hint."""
    assert heap_nim.hint((3, 4, 5)) == (1, 1)
    assert heap_nim.hint((1, 4, 5)) is None
    assert heap_nim.hint((1, 1, 7)) == (3, 0)


def test_the_codes_of_the_l_game_are_read_and_written() -> None:
    """Figure 4 and the first position come out as printed, and are the boards that they should be."""
    for printed in (l_game_document.FIGURE_4, l_game_document.START_CODE):
        assert code(decode(printed)) == printed
    assert decode(l_game_document.START_CODE) == LGame().initial()
    state = decode(l_game_document.FIGURE_4)
    assert LGame().state_to_json(state) == {"board": ["XXX.", "OOX*", ".O..", ".O*."], "to_move": "X"}


def test_no_losing_node_has_the_printed_number_of_predecessors(known_l_game: Facts) -> None:
    """The 120 of a side have 76 to 170 each."""
    found = known_l_game.predecessors
    assert (len(found), found[0], found[-1]) == (120, 76, 170)
    assert l_game_document.PREDECESSORS_OF_A_LOSE_NODE not in found


def test_the_example_of_figure_7_is_one(known_l_game: Facts) -> None:
    """B and C are moves that do not lose at once, D lets the other side win at once, by E."""
    game, (a, b, c, d, e) = LGame(), known_l_game.example
    after = {game.play(a, move) for move in game.legal_moves(a)}
    assert {b, c, d} <= after
    assert e in {game.play(d, move) for move in game.legal_moves(d)}
    assert game.outcome(e) is not None
    for state in (b, c):
        assert all(game.outcome(game.play(state, move)) is None for move in game.legal_moves(state))


def test_the_board_of_rhombic_chess_is_the_only_one_that_gives_its_row(
    known_rhombic_chess: RhombicFacts,
) -> None:
    """Of 33 symmetric boards one gives the document's row for ten stones, and it is ours."""
    boards = known_rhombic_chess.boards
    matching = [board for board in boards if board[1:] == (38608, 32436, 1028)]
    assert len(boards) == 33
    assert [is_ours(board) for board in matching] == [True]
    assert known_rhombic_chess.results == {"some lost": 1, "drawn at best": 0, "all won": -1}


def standings(section: Section) -> dict[str, Standing]:
    """What became of each claim."""
    return {claim.key: row.standing for claim, row in section.claims}


def test_claims_of_the_l_game_fall_with_what_they_are_checked_against(
    monkeypatch: pytest.MonkeyPatch, solved_l_game: dict[str, Any], known_l_game: Facts
) -> None:
    """All codes, boards and walks are looked at: with other ones the rows come out otherwise."""
    before = standings(l_game.section(solved_l_game, known_l_game))
    coding = known_l_game.coding
    assert (coding.codes, coding.bits, coding.disc_pairs) == (36_736, 19, 120)
    wider = (*coding.ranges[:6], (0, 8), *coding.ranges[7:])
    kept = known_l_game.rules._replace(drawn=known_l_game.rules.drawn._replace(lost=0), without=0)
    other = known_l_game._replace(
        few_moves=0,
        rules=kept,
        mixed=known_l_game.mixed._replace(into_none=0, into_all=0),
        perfect=known_l_game.perfect._replace(lost=1),
        coding=coding._replace(
            ranges=wider,
            numbers=coding.numbers | {(3, 2)},
            beside=frozenset({28, 27}),
            pieces=frozenset({1, 2}),
        ),
    )
    monkeypatch.setattr(l_game_document, "FIGURE_4_DISCS", ((3, 1), (2, 2)))
    analysis = copy.deepcopy(solved_l_game)
    inside, together = analysis["hints"][3], analysis["hints"][4]
    inside["having_moved"]["followed"]["won"] = 0
    together["having_moved"]["followed"]["lost"] = together["having_moved"]["followed"]["positions"]
    after = standings(l_game.section(analysis, other))
    assert {key for key in before if before[key] is not after[key]} == {
        *("fifty-moves", "never-loses", "encoding-ranges", "nineteen-bits", "pointer-memory"),
        *("round-code", "disc-pairs", "pieces-and-board", "figure-4"),
        *("four-rules", "hints-together", "inside-wins", "general-mixed"),
    }
    assert before["fifty-moves"] is before["no-computer"] is Standing.CONTRADICTED
    assert before["four-rules"] is before["general-mixed"] is Standing.CONTRADICTED
    assert before["hints-together"] is before["inside-wins"] is Standing.REPRODUCED
    assert before["figure-4"] is before["never-loses"] is before["round-code"] is Standing.REPRODUCED


def test_perfect_is_walked_through_everything_that_can_be_answered(known_l_game: Facts) -> None:
    """It comes to thousands of positions and loses nowhere; the random player would."""
    assert known_l_game.perfect.positions > 1_000
    assert known_l_game.perfect.lost == 0
    assert l_game_facts.walked("random") == (18_368, 120)


def test_claims_of_rhombic_chess_fall_with_what_they_are_checked_against(
    solved_rhombic_chess: dict[str, Any], known_rhombic_chess: RhombicFacts
) -> None:
    """The unknown successor decides; the first and the last position are those of all with ten stones."""
    assert known_rhombic_chess.completed == {-1: 1, 0: 0, 1: 0}
    before = standings(rhombic_chess.section(solved_rhombic_chess, known_rhombic_chess))
    assert before["two-names"] is Standing.UNKNOWN
    first, last = known_rhombic_chess.codes
    changed = known_rhombic_chess._replace(completed={-1: 0, 0: 0, 1: 0}, codes=(first, last[::-1]))
    after = standings(rhombic_chess.section(solved_rhombic_chess, changed))
    assert {key for key in before if before[key] is not after[key]} == {"figure-4", "codes"}


def test_xor_wins_from_every_unsafe_position_and_another_choice_does_not() -> None:
    """Walked through every answer; taking one stick from the first heap that has any does not always win."""
    game = HeapNim()
    unsafe = [heaps for heaps in heap_nim_claims.positions() if heap_nim.exclusive_or(heaps)]
    assert len(unsafe) > 90
    assert all(map(heap_nim_claims.wins_always(ExclusiveOr(game).choose, game), unsafe))
    first = heap_nim_claims.wins_always(lambda state, *_: game.legal_moves(state)[0], game)
    assert 0 < sum(map(first, unsafe)) < len(unsafe)
