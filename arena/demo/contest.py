"""The demonstration's tournament through the API, as a class would do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena.client import ArenaClient
from arena.demo.roster import GAME, Team

TOURNAMENT = "demo"
PLAN: dict[str, Any] = {
    "name": TOURNAMENT,
    "game": GAME,
    "format": "double_round_robin",
    "time": {"move_ms": 250, "extensions": 3, "extension_ms": 2000},
    "openings": 1,
    "opening_plies": 6,
    "seed": 2026,
}


def hold(url: str, admin_token: str, teams: Sequence[Team], say: Callable[[str], None]) -> None:
    """Let the teams in, take their bots and entries, and start the tournament.

    Raises:
        ClientError: the arena refused something or does not answer.
    """
    with ArenaClient(url, admin_token) as staff:
        staff.create_tournament(PLAN)
        staff.change(TOURNAMENT, "open")
        for team in teams:
            token = staff.create_user(team.name, "team")["token"]
            version = _take_part(url, token, team)
            say(f"{team.name} submits {team.filename} as {team.bot}, version {version}, and enters it")
        staff.change(TOURNAMENT, "start")


def _take_part(url: str, token: str, team: Team) -> int:
    with ArenaClient(url, token) as client:
        version = client.submit(team.bot, team.filename, team.data)["version"]
        client.enter(TOURNAMENT, team.bot)
    return int(version)
