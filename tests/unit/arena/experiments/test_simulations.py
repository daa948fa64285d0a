"""From a request to a spec, and from counts to what is told."""

from __future__ import annotations

import json

import pytest

from arena.experiments.simulations import COLUMNS, make_spec, strategy_player, summarise, table
from arena.theory.statistics.stopping import first_score
from engines.games import find_game
from engines.openings import balanced_openings
from engines.strategies import StrategyError
from tests.unit.workers.simulation.specs import spec_of
from workers.core.contract import Policy
from workers.simulation.contract import Tally

GAME = find_game("heap_nim")
TALLY = Tally(
    games=9,
    results=((2, 1, 1), (1, 0, 3)),
    double_forfeits=1,
    plies=90,
    scores=(100, 80),
    forfeits=(1, 2),
    ends={"a": 9},
    pairs=(1, 0, 1, 1, 1),
)


def test_players_have_canonical_names() -> None:
    """Whatever is left out is filled in, so that equal players make equal specs."""
    game = find_game("circle_nim")
    player = strategy_player("algo3:100", game)
    assert player.strategy == player.name == "algo3:100:0"
    assert player == strategy_player("algo3:100:0", game)
    with pytest.raises(StrategyError):
        strategy_player("xor", game)


def test_the_openings_are_those_of_matches() -> None:
    """They are drawn from the seed, and no more of them than games begin with one."""
    players = strategy_player("random", GAME), strategy_player("xor", GAME)
    spec = make_spec(GAME, players, games=100, seed=4, swap=True, openings=(5, 3))
    assert spec.openings == balanced_openings(GAME, 5, 3, 4)
    assert len(make_spec(GAME, players, games=5, swap=True, openings=(5, 3)).openings) == 3
    assert len(make_spec(GAME, players, games=3, openings=(5, 3)).openings) == 3


def test_the_policy_is_filled_in() -> None:
    """What the game leaves to the match stands in the spec in numbers."""
    game = find_game("rhombic_chess")
    players = strategy_player("random", game), strategy_player("random", game)
    assert make_spec(game, players, games=1).policy == Policy(repetition=3, max_plies=500)
    assert make_spec(game, players, games=1, policy=Policy(max_plies=9)).policy.max_plies == 9


def test_the_summary_has_every_integer_and_what_follows_from_it() -> None:
    """Counts, shares and scores of the first player, in all and by seat, fit for JSON."""
    spec = spec_of("reversed_reversi", games=9, swap=True)
    told = json.loads(json.dumps(summarise(spec, TALLY)))
    assert Tally.model_validate(told["tally"]) == TALLY
    assert [told["first"][name] for name in ("games", "wins", "draws", "losses")] == [9, 5, 1, 3]
    assert [(part["seat"], part["wins"], part["losses"]) for part in told["by_seat"]] == [
        (0, 2, 1),
        (1, 3, 1),
    ]
    assert told["first"]["score"]["mean"] == first_score(spec, TALLY).mean == 5.5 / 9
    assert told["plies_mean"] == 10
    assert told["scores_mean"] == [100 / 9, 80 / 9]
    assert summarise(spec_of(games=9), TALLY)["scores_mean"] is None


def test_the_table_has_a_row_a_seat_and_one_for_all() -> None:
    """Without swapped seats there is one row only, before the first game none."""
    head, *rows = table(summarise(spec_of(games=9, swap=True), TALLY))
    assert head == COLUMNS
    assert [row[:5] for row in rows] == [(0, 4, 2, 1, 1), (1, 4, 3, 0, 1), ("both", 9, 5, 1, 3)]
    assert {len(row) for row in rows} == {len(COLUMNS)}
    straight = Tally(games=2, results=((1, 0, 1), (0, 0, 0)), ends={"a": 2})
    assert [row[:2] for row in table(summarise(spec_of(games=2), straight))][1:] == [(0, 2)]
    assert list(table(summarise(spec_of(), Tally()))) == [COLUMNS]
