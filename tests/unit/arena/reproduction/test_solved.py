"""The sections from exact solutions: what agrees, what differs, no comment on what was not found."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from arena.reproduction import heap_nim, l_game, rhombic_chess
from arena.reproduction.effort import DEFAULT
from arena.reproduction.findings import Section, Verdict
from engines.games.l_game import LGame
from engines.games.rhombic_chess import RhombicChess
from engines.solvers.l_game import analyse as analyse_l_game
from engines.solvers.rhombic_chess import analyse as analyse_rhombic_chess


@pytest.fixture(scope="module")
def solved_l_game() -> dict[str, Any]:
    """The analysis of the L-Game."""
    return analyse_l_game(LGame())


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


def test_every_count_of_the_l_game_document_is_exact(solved_l_game: dict[str, Any]) -> None:
    """All positions, both histograms, the rounds, the claims and the hints agree with the solution."""
    section = l_game.section(solved_l_game)
    assert wrong(section) == []
    assert len(list(section.comparisons())) > 60


def test_another_count_would_differ(solved_l_game: dict[str, Any]) -> None:
    """A histogram with one position moved differs in two columns and their marks."""
    changed = copy.deepcopy(solved_l_game)
    changed["moves"]["histogram"][1]["positions"] -= 1
    changed["moves"]["histogram"][2]["positions"] += 1
    assert wrong(l_game.section(changed)) == ["children/13", "children/26"]


def test_comments_on_the_l_game_need_their_numbers(solved_l_game: dict[str, Any]) -> None:
    """Were some position with many moves not won, the comment that all are would not stand there."""
    assert "all of them win" in words(l_game.section(solved_l_game))
    changed = copy.deepcopy(solved_l_game)
    changed["many_moves"][0]["won"] -= 1
    assert "all of them win" not in words(l_game.section(changed))


def test_rhombic_chess_differs_in_the_rows_for_six_to_nine_stones(
    solved_rhombic_chess: dict[str, Any],
) -> None:
    """Those rows and the empty board differ; ten, one to five stones and the theorem agree."""
    section = rhombic_chess.section(solved_rhombic_chess)
    assert {key.split("/")[1] for key in wrong(section)} == {"9", "8", "7", "6", "0"}
    told = words(section)
    assert "9: won +0, lost +680, drawn -680" in told
    assert "There is 1 board without stones" in told


def test_the_slips_are_named_only_if_they_give_all_rows(solved_rhombic_chess: dict[str, Any]) -> None:
    """Without the rule that reproduces the document's rows nothing is said of slips."""
    assert "Two slips in a program would give all of these rows" in words(
        rhombic_chess.section(solved_rhombic_chess)
    )
    changed = copy.deepcopy(solved_rhombic_chess)
    changed["rules"] = changed["rules"][:-1]
    assert "slips" not in words(rhombic_chess.section(changed))


def test_heap_nim_agrees_everywhere() -> None:
    """The worked example, the truth table and the rule on all 120 positions are exact."""
    done: list[None] = []
    section = heap_nim.reproduce(DEFAULT, 0, 1, lambda: done.append(None))
    assert len(done) == heap_nim.steps(DEFAULT)
    assert wrong(section) == []
    assert "Of the 120 positions" in words(section)


def test_the_hint_leaves_an_exclusive_or_of_zero() -> None:
    """The first heap that can be made to fit is named with what is left; a safe position has no hint."""
    assert heap_nim.hint((3, 4, 5)) == (1, 1)
    assert heap_nim.hint((1, 4, 5)) is None
    assert heap_nim.hint((1, 1, 7)) == (3, 0)
