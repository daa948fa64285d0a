"""Bots that fail in every way, handed in by teams and played on workers."""

from __future__ import annotations

from typing import Any

import pytest

from arena.client.http import ArenaClient
from arena.schemas.matches import MatchDetail, MatchOut
from arena.schemas.paging import Page
from tests.acceptance.bots import DISGUISE
from tests.acceptance.conftest import Arena, MakeArena, eventually, processes_of

pytestmark = pytest.mark.long

NAME = "faulty"
PLAN: dict[str, Any] = {
    "name": NAME,
    "game": "reversed_reversi",
    "params": {"size": 4},
    "format": "gauntlet",
    "heroes": ["honest", "garbage"],
    "time": {"move_ms": 1500, "extensions": 1, "extension_ms": 2500, "startup_ms": 60_000},
    "seed": 5,
}
"""The honest bot meets every other one; so does one that is not, which shows that two at fault end too."""
HONEST = "ready(); serve()"
ANSWER = "send(type='move', id=m['id'], move=m['legal'][0])"
FAULTY = {
    "crash-at-start": ("sys.exit('no such module')", "startup"),
    "crash-mid-game": ("ready(); serve(1); get(); sys.exit('lost my way')", "crash"),
    "sleeper": ("ready(); serve(pause=60)", "timeout"),
    "illegal": ("ready(); serve(1); m = get(); send(type='move', id=m['id'], move='a9')", "illegal_move"),
    "garbage": ("ready(); get(); print('e3', flush=True); get()", "malformed"),
    "early": ("ready(); m = get(); ANSWER; send(type='move', id=1, move='a1'); get()", "protocol_error"),
    "wrong-id": ("ready(); m = get(); send(type='move', id=7, move=m['legal'][0]); get()", "protocol_error"),
    "flood": ("ready(); get()\nwhile True: os.write(1, b'x' * 65536)", "oversize"),
    "printer": (
        "ready(); m = get(); print('thinking...'); ANSWER",
        "malformed",
    ),
}


def test_every_kind_of_failure_ends_as_its_own_forfeit(make_arena: MakeArena) -> None:
    """Each loses to the honest bot by its own code; its owner sees why, others do not; nothing remains."""
    arena = make_arena(2)
    tokens = hold(arena)
    with arena.client() as staff:
        eventually(lambda: staff.tournament(NAME).state == "finished")
        board = {row.bot: row for row in staff.leaderboard(NAME).items}
        assert lost_by_honest(staff) == []
    assert board["honest"].rank == 1
    assert board["honest"].wins == len(FAULTY)
    assert board["honest"].forfeits == 0
    for name, (_, code) in FAULTY.items():
        check_evidence(arena, tokens, name, code)
    eventually(lambda: not bots_in(arena))


def bots_in(arena: Arena) -> list[str]:
    """The command lines of the processes that were started from the workers' cache."""
    cache = f"{arena.folder.root}/cache"
    lines = (" ".join(process.info["cmdline"] or []) for process in processes_of(arena.folder.root))
    return [words for words in lines if cache in words]


def lost_by_honest(staff: ArenaClient) -> list[MatchDetail]:
    """The matches that the honest bot did not win, with all that the staff sees of them."""
    honest = (
        row
        for row in staff._pages(Page[MatchOut], f"/tournaments/{NAME}/matches")
        if "honest" in bots_of(row)
    )
    details = (match(staff, row.number) for row in honest)
    return [one for one in details if one.result is None or one.result.winner != bots_of(one).index("honest")]


def bots_of(row: MatchOut) -> list[str]:
    """Both bots of a match, by seat."""
    return [side.bot for side in row.seats]


def hold(arena: Arena) -> dict[str, str]:
    """Let a team in for every bot, take its bot and entry, start; the teams' tokens by bot."""
    tokens = {}
    with arena.client() as staff:
        staff.create_tournament(PLAN)
        staff.change(NAME, "open")
        for name, (code, _) in {"honest": (HONEST, ""), **FAULTY}.items():
            tokens[name] = staff.create_user(f"team-{name}", "team").token
            with arena.client(tokens[name]) as team:
                team.submit(name, "bot.py", (DISGUISE + code.replace("ANSWER", ANSWER)).encode())
        for name, token in tokens.items():
            with arena.client(token) as team:
                assert team.await_check(name, 1).state == "passed"
                team.enter(NAME, name)
        staff.change(NAME, "start")
    return tokens


def check_evidence(arena: Arena, tokens: dict[str, str], name: str, code: str) -> None:
    """The match against the honest bot: the code for everybody, the evidence for the owner."""
    number, seat = meeting(arena, name)
    seen = {}
    for viewer in (name, "honest"):
        with arena.client(tokens[viewer]) as team:
            seen[viewer] = match(team, number)
    for detail in seen.values():
        assert detail.result is not None
        assert (detail.result.reason, detail.result.winner) == (code, 1 - seat)
    (own,) = seen[name].evidence
    (others,) = seen["honest"].evidence
    assert own.code == others.code == code
    assert own.evidence is not None
    assert own.evidence.detail
    assert own.evidence.expected
    assert others.evidence is None


def meeting(arena: Arena, name: str) -> tuple[int, int]:
    """The number of the match between `name` and the honest bot, and the seat of `name`."""
    with arena.client() as staff:
        for row in staff._pages(Page[MatchOut], f"/tournaments/{NAME}/matches"):
            bots = bots_of(row)
            if sorted(bots) == sorted([name, "honest"]):
                return row.number, bots.index(name)
    raise AssertionError(name)


def match(client: ArenaClient, number: int) -> MatchDetail:
    """One match as the client's user sees it."""
    return client._ask(MatchDetail, "GET", f"/tournaments/{NAME}/matches/{number}")
