"""What is known of the documents without computing anything."""

from __future__ import annotations

import pytest

from arena.documents.inventory import DOCUMENTS, ClaimKind, Standing, inventory, known


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_program_is_done_here_by_a_page_or_a_command(name: str) -> None:
    """Each option of a document's program says where it is now, or why it cannot be."""
    answers = known(name)
    for claim in inventory(name):
        answer = answers[claim.key]
        if claim.kind is ClaimKind.OPTION and answer.standing is not Standing.UNKNOWN:
            assert answer.standing is Standing.WORKS, claim.key
            assert answer.page or answer.command, claim.key


@pytest.mark.parametrize("name", DOCUMENTS)
def test_words_with_numbers_are_left_to_the_report(name: str) -> None:
    """No brace is ever shown, and what needs no number has words in both languages."""
    for key, answer in known(name).items():
        if answer.found is not None:
            assert "{" not in "".join(answer.found), key
            assert all(answer.found), key


def test_the_modes_of_the_programs_have_pages() -> None:
    """Play, hint, level, two players, restart and the browsing of positions lead to the page to play."""
    for name, keys in {
        "nim": (
            "take-to-the-right",
            "level",
            "hint",
            "two-players",
            "heaps-menu",
            "restart",
            "keys",
            "backgrounds",
        ),
        "l_game": ("web-program", "screen-start", "screen-choose", "screen-answer", "screen-lost"),
        "reversed_reversi": ("modes", "click", "restart", "score-shown", "note"),
        "rhombic_chess": ("download", "advice"),
        "circle_nim": ("people-program", "people-input"),
    }.items():
        game = "heap_nim" if name == "nim" else name
        assert {known(name)[key].page.partition("?")[0] for key in keys} == {f"/play/{game}"}
