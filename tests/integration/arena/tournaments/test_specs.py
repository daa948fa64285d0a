"""What bots are told of a tournament's seed: nothing that it could be worked out from."""

from __future__ import annotations

import pytest

from arena.store.matches import by_number
from arena.tournaments.specs import match_spec
from engines.stream import derive
from tests.integration.arena.world import World
from tests.seed_recovery import seeds_behind


@pytest.mark.parametrize("conceals", [True, False])
def test_a_bots_seed_does_not_tell_its_tournaments(world: World, *, conceals: bool) -> None:
    """Who knew it would know the other side's; matches of before keep theirs, from which it can be told."""
    world.tournament(bots=2)
    with world.database.transaction() as session:
        cup = world.get(session)
        assert cup.conceals_seed
        cup.conceals_seed = conceals
        match = by_number(session, cup, 1)
        assert match is not None
        seeds = match_spec(match).seeds
        told = [seeds_behind(seed, "match", match.number, seat) for seat, seed in enumerate(seeds)]
        assert [cup.seed in each for each in told] == [not conceals] * 2
        assert (seeds[0] == derive(cup.seed, "match", match.number, 0)) != conceals
