"""Simulations and blocks as values."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tests.unit.workers.simulation.specs import spec_of
from workers.simulation.contract import Block, GameLine, SimulatedPlayer, SimulationSpec, Tally

WON = Tally(games=1, results=((1, 0, 0), (0, 0, 0)), plies=5, scores=(1, 0), ends={"a": 1})
LOST_SWAPPED = Tally(games=1, results=((0, 0, 0), (1, 0, 0)), plies=7, scores=(0, 1), ends={"b": 1})


@pytest.mark.parametrize("kinds", [{}, {"strategy": "random", "command": ("bot",)}, {"archive": "a" * 63}])
def test_a_player_is_of_exactly_one_kind(kinds: dict[str, Any]) -> None:
    """No kind, two kinds and a broken hash are refused."""
    with pytest.raises(ValidationError):
        SimulatedPlayer(name="x", **kinds)


@pytest.mark.parametrize(
    "wrong",
    [{"games": 0}, {"games": 10**12}, {"seed": -1}, {"seed": 2**53}],
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    """A simulation has games, few if they are kept, and a seed that every JSON reader can hold."""
    with pytest.raises(ValidationError):
        spec_of(**wrong)


def test_the_digest_tells_simulations_apart() -> None:
    """Equal specs have equal digests, also after a journey as JSON; one other number makes another."""
    spec = spec_of(openings=(("1:1",), ("2:1",)))
    assert SimulationSpec.model_validate_json(spec.model_dump_json()).digest == spec.digest
    others = [spec_of(openings=(("1:1",),)), spec_of(), spec_of(seed=6), spec_of(match=1), spec_of(games=101)]
    assert len({spec.digest, *(other.digest for other in others)}) == 6


def test_seats_and_openings_follow_the_index() -> None:
    """With swapped seats the odd games are turned round, and two games in a row have one opening."""
    openings = (("1:1",), ("1:2",), ("1:3",))
    plain, swapped = spec_of(openings=openings), spec_of(openings=openings, swap=True)
    assert [plain.opening_number(index) for index in range(7)] == [0, 1, 2, 0, 1, 2, 0]
    assert [swapped.opening_number(index) for index in range(7)] == [0, 0, 1, 1, 2, 2, 0]
    assert [swapped.swapped(index) for index in range(3)] == [False, True, False]
    assert not any(plain.swapped(index) for index in range(3))
    assert [plain.paired, swapped.paired, spec_of(swap=True).paired] == [False, True, False]


def test_tallies_add_up() -> None:
    """The sum of two tallies is the tally of all their games."""
    both = WON + LOST_SWAPPED
    assert both == Tally(
        games=2, results=((1, 0, 0), (1, 0, 0)), plies=12, scores=(1, 1), ends={"a": 1, "b": 1}
    )
    assert both.wins_draws_losses == (1, 0, 1)
    assert WON + Tally() == WON


def test_a_double_forfeit_is_a_loss_of_the_first_player() -> None:
    """It stands in no row of the results, but among the games and the losses."""
    tally = Tally(games=1, double_forfeits=1, forfeits=(1, 1), ends={"startup": 1})
    assert tally.wins_draws_losses == (0, 0, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 2},
        {"ends": {}},
        {"ends": {"a": 2}},
        {"double_forfeits": 1},
        {"pairs": (0, 1, 0, 0, 0)},
        {"forfeits": (2, 0)},
        {"plies": -1},
    ],
)
def test_a_tally_that_does_not_add_up_is_refused(wrong: dict[str, Any]) -> None:
    """Whoever gets a tally from elsewhere can believe its sums."""
    with pytest.raises(ValidationError):
        Tally.model_validate(WON.model_dump() | wrong)


def test_a_block_has_exactly_its_games() -> None:
    """A count that the tally does not have, and games of other indices, are refused."""
    line = GameLine(index=4, seats=(0, 1), moves=(), winner=0, reason="a", score=(1, 0), plies=0)
    assert Block(start=4, count=1, tally=WON, games=(line,)).end == 5
    for wrong in ({"count": 2}, {"start": 3}, {"games": (line, line)}):
        with pytest.raises(ValidationError):
            Block.model_validate({"start": 4, "count": 1, "tally": WON, "games": (line,)} | wrong)
