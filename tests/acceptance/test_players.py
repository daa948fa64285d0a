"""Bots' turns against people on real workers: one is killed, and a crowd does not hold up a tournament."""

from __future__ import annotations

import pytest

from arena.schemas.play import PlayOut
from tests.acceptance.bots import team_of, thinker
from tests.acceptance.conftest import IMPATIENT, MakeArena
from tests.acceptance.queries import query
from tests.waiting import eventually

pytestmark = pytest.mark.long

WORKERS = 2
CROWD = 60
REFERENCE = ("random", "xor", "greedy")
GIVEN_OUT = "SELECT count(*) FROM play_turns WHERE state IN ('published', 'running')"
ENTERED = "SELECT count(*) FROM entries"
WAITING = "SELECT count(*) FROM play_turns WHERE state = 'pending'"


def test_a_worker_that_is_killed_in_a_bots_turn_loses_nothing(make_arena: MakeArena) -> None:
    """The turn is given out anew under another attempt, and the bot's move is in the game once."""
    arena = make_arena(1, **IMPATIENT)
    arena.command("class", "create", "7a")
    token = team_of(arena, "red", "bot.py", thinker(2))
    with arena.client(token) as client:

        def told(method: str, rest: str, **wish: object) -> PlayOut:
            return client._ask(PlayOut, method, f"/play/games{rest}", **({"json": wish} if wish else {}))

        begun = told("POST", "", game="heap_nim", seats=[None, "red"])
        here = f"/{begun.address}"
        waits = told("POST", f"{here}/moves", move="1:1", ply=0)
        assert waits.turn is not None
        eventually(lambda: (turn := told("GET", here).turn) is not None and turn.state == "running")
        arena.kill("worker-1")
        eventually(lambda: told("GET", here).position.ply == 2)
        assert told("GET", here).turn is None
    ((attempt, state),) = query(arena, "SELECT attempt, state FROM play_turns")
    assert attempt > 1
    assert state == "finished"


def test_a_crowd_of_players_does_not_hold_up_a_tournament(make_arena: MakeArena) -> None:
    """It ends while the crowd's slow turns wait, which never have more than half of the places."""
    arena = make_arena(WORKERS)
    arena.command("class", "create", "7a")
    token = team_of(arena, "slow", "bot.py", thinker(2))
    entered = [word for name in REFERENCE for word in ("--reference", name)]
    arena.command("tournament", "create", "cup", "--game", "heap_nim", "--openings", "0", "--open", *entered)
    eventually(lambda: query(arena, ENTERED) == [(len(REFERENCE),)])
    with arena.client(token) as client:
        for _ in range(CROWD):
            wish = {"game": "heap_nim", "seats": ["slow", None]}
            client._ask(PlayOut, "POST", "/play/games", json=wish)
    eventually(lambda: query(arena, GIVEN_OUT) == [(WORKERS // 2,)])
    arena.command("tournament", "start", "cup")
    given_out: list[int] = []
    with arena.client() as staff:

        def over() -> bool:
            given_out.extend(number for (number,) in query(arena, GIVEN_OUT))
            return staff.tournament("cup").state == "finished"

        eventually(over)
    ((waiting,),) = query(arena, WAITING)
    assert waiting > 0
    assert max(given_out) == WORKERS // 2
