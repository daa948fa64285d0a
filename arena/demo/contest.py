"""The demonstration's tournament through the API, as a class would do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena.client.http import ArenaClient
from arena.demo.roster import GAME, Team

TOURNAMENT = "demo"
PLAN: dict[str, Any] = {
    "name": TOURNAMENT,
    "game": GAME,
    "format": "double_round_robin",
    "time": {"move_ms": 100, "extensions": 3, "extension_ms": 2000},
    "openings": 1,
    "opening_plies": 6,
    "seed": 2026,
}


def hold(url: str, admin_token: str, teams: Sequence[Team], say: Callable[[str], None]) -> None:
    """Let the teams in, take their bots and entries, and start the tournament.

    Raises:
        ClientError: the arena refused something or does not answer.
    """
    tokens: dict[str, str] = {}
    versions: dict[str, int] = {}
    with ArenaClient(url, admin_token) as staff:
        staff.create_tournament(PLAN)
        staff.change(TOURNAMENT, "open")
        for team in teams:
            tokens[team.bot] = staff.create_user(team.name, "team").token
            versions[team.bot] = _submit(url, tokens[team.bot], team)
            say(f"{team.name} submits {team.filename} as {team.bot}, version {versions[team.bot]}")
        for team in teams:
            _enter(url, tokens[team.bot], team.bot, versions[team.bot])
            say(f"{team.bot} has passed its check and is entered")
        staff.change(TOURNAMENT, "start")


def _submit(url: str, token: str, team: Team) -> int:
    with ArenaClient(url, token) as client:
        return client.submit(team.bot, team.filename, team.data, games=[GAME]).version


def _enter(url: str, token: str, bot: str, version: int) -> None:
    """Enter a bot once it has passed its check; one that has not is refused with the reason."""
    with ArenaClient(url, token) as client:
        client.await_check(bot, version)
        client.enter(TOURNAMENT, bot)
