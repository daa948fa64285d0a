"""From pairings to games."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.theory.pairing.contract import Pairing
from arena.theory.pairing.format import Planned
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.schedule import PlannedGame, expand
from tests.conformance.formats import entrants


def test_pairings_take_turns_and_exchange_seats() -> None:
    """Two games an opening, from both seats; the same two rarely follow each other; a bye is no game."""
    pairings = (Pairing(1, 2, "A", 3, (5, 6)), Pairing(4, 3, "B", 2, (9,)), Pairing(7, None))
    assert list(expand(pairings, 8)) == [
        PlannedGame(8, 1, 2, 5, "A"),
        PlannedGame(8, 4, 3, 9, "B"),
        PlannedGame(8, 2, 1, 5, "A"),
        PlannedGame(8, 3, 4, 9, "B"),
        PlannedGame(8, 1, 2, 6, "A"),
    ]


def test_without_openings_games_begin_at_the_initial_position() -> None:
    """The opening's number is 0, and seats are still exchanged."""
    games = list(expand((Pairing(2, 1, "", 3),), 1))
    assert [(game.first, game.second, game.opening_number) for game in games] == [
        (2, 1, 0),
        (1, 2, 0),
        (2, 1, 0),
    ]


def test_nobody_meets_in_an_empty_round() -> None:
    """A round of byes only has no games."""
    assert list(expand((Pairing(1, None),), 1)) == []


def _games(name: str, bots: int, openings: int) -> list[PlannedGame]:
    fmt = find_format(name, openings=openings)
    assert isinstance(fmt, Planned)
    return [game for number, pairings in fmt.rounds(entrants(bots)) for game in expand(pairings, number)]


def test_a_class_has_224_games() -> None:
    """Eight bots, double round robin, two openings: 224 games; single: 112; double without openings: 56."""
    assert len(_games("double_round_robin", 8, 2)) == 224
    assert len(_games("round_robin", 8, 2)) == 112
    assert len(_games("double_round_robin", 8, 0)) == 56


@given(st.integers(2, 9), st.sampled_from(["round_robin", "double_round_robin"]), st.integers(1, 4))
def test_every_opening_is_played_from_both_seats(bots: int, name: str, openings: int) -> None:
    """Each ordered pair plays each opening that was drawn just once: no game is planned twice."""
    met = Counter(game[1:4] for game in _games(name, bots, openings))
    drawn = find_format(name, openings=openings).drawn
    assert set(met.values()) == {1}
    assert len(met) == bots * (bots - 1) * drawn
    assert {opening for *_, opening in met} == set(range(1, drawn + 1))
