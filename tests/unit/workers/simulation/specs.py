"""Simulations for tests, made from a few words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from engines.games import find_game
from tests.unit.workers.conftest import AMPLE
from workers.core.contract import GameSpec, Policy
from workers.play.policy import policy_of
from workers.simulation.contract import Block, SimulatedPlayer, SimulationSpec, Tally

Player = str | tuple[str, ...]


def spec_of(
    game: str = "heap_nim",
    first: Player = "random",
    second: Player = "random",
    games: int = 100,
    *,
    params: dict[str, Any] | None = None,
    policy: Policy | None = None,
    **options: Any,
) -> SimulationSpec:
    """A simulation between two players: a text is a strategy's name, several are a command."""
    rules = find_game(game, params or {})
    return SimulationSpec(
        game=GameSpec(name=rules.name, params=rules.params, version=rules.version),
        players=(player(first), player(second)),
        games=games,
        seed=options.pop("seed", 5),
        policy=policy_of(rules, policy or Policy()),
        **{"time": AMPLE} | options,
    )


def player(told: Player) -> SimulatedPlayer:
    """The player that is told so."""
    if isinstance(told, str):
        return SimulatedPlayer(name=told, strategy=told)
    return SimulatedPlayer(name=told[-1][:200], command=told)


def total(blocks: Iterable[Block]) -> Tally:
    """The tallies of all blocks together."""
    return reduce(Tally.__add__, (block.tally for block in blocks), Tally())
