"""The commands of scrimmages, against a fake of the API."""

from __future__ import annotations

from typing import Any

import pytest

from arena.cli.people import scrimmages
from arena.schemas.classes import ClassOut
from arena.schemas.scrimmages import (
    BotConsent,
    OpponentsOut,
    ScrimmageGameDetail,
    ScrimmageGameOut,
    ScrimmageOut,
)
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]

OURS = {"bot": "red", "version": 2, "owner": "reds"}
EASY = {"bot": "@random", "version": None, "owner": None}


def _game(number: int, **told: Any) -> dict[str, Any]:
    seats = [OURS, EASY] if number % 2 else [EASY, OURS]
    return sample(ScrimmageGameOut, number=number, seats=seats, **told)


def _scrimmage(*, over: bool, **told: Any) -> dict[str, Any]:
    state = {"state": "finished", "outcome": "won"} if over else {"state": "pending"}
    games = [_game(1, **state), _game(2, **state)]
    fields = {"id": 7, "own": True, "asked_by": "ruby", "bot": OURS, "opponent": EASY, "games": games}
    return sample(ScrimmageOut, over=over, **fields | told)


def test_playing_waits_until_it_is_over(run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said is sent, and nothing else; then it is asked for until all games are played."""
    monkeypatch.setattr(scrimmages, "PAUSE_SECONDS", 0)
    api.answers["POST", "/me/scrimmages"] = _scrimmage(over=False)
    api.answers["GET", "/me/scrimmages/7"] = [_scrimmage(over=False), _scrimmage(over=True)]
    ran = run("my", "scrimmage", "play", "red", "--against", "@random", "--version", "2", "--wait")
    assert api.sent(0) == {"bot": "red", "opponent": "@random", "games": 2, "version": 2}
    assert ran.out.count("won") == 2
    assert "red 2 against @random" in ran.err


def test_lists_of_both_sides(run: Run, api: FakeApi) -> None:
    """Those of others name one's own bot first, and the team that asked."""
    api.answers["GET", "/me/scrimmages"] = page(_scrimmage(over=True))
    ran = run("my", "scrimmage", "list")
    assert ran.code == 0, ran.err
    (line,) = [line.split() for line in ran.out.splitlines() if "@random" in line]
    assert line[:4] == ["7", "red", "2", "@random"]
    other = _scrimmage(
        over=True, own=False, asked_by=None, team="blues", bot=EASY | {"bot": "blue"}, opponent=OURS
    )
    api.answers["GET", "/me/scrimmages"] = page(other)
    ran = run("my", "scrimmage", "list", "--against-us")
    (line,) = [line.split() for line in ran.out.splitlines() if "blues" in line]
    assert (line[1], line[3], line[-1]) == ("red", "blue", "blues")


def test_a_game_with_its_log(run: Run, api: FakeApi) -> None:
    """Moves are a table; what may be read of stderr follows."""
    uses = [{"stderr_head": "my log"}, {"stderr_head": "hidden"}]
    told = {"seats": [OURS, EASY], "logs": [0], "use": uses, "state": "finished", "outcome": "won"}
    api.answers["GET", "/me/scrimmages/7/games/1"] = sample(ScrimmageGameDetail, **told)
    ran = run("my", "scrimmage", "game", "7", "1")
    assert "my log" in ran.out
    assert "hidden" not in ran.out


def test_switches(run: Run, api: FakeApi) -> None:
    """A bot is opened and closed, a class has some or none, and what waits is called off."""
    api.answers["PUT", "/me/bots/red/scrimmages"] = [
        sample(BotConsent, bot="red", allowed=allowed) for allowed in (True, False)
    ]
    assert "may play against red" in run("my", "scrimmage", "allow", "red").out
    assert "may not play" in run("my", "scrimmage", "allow", "red", "--no").out
    assert [api.sent(each) for each in (0, 1)] == [{"allowed": True}, {"allowed": False}]
    api.answers["PUT", "/classes/7a/scrimmages"] = sample(ClassOut, name="7a", scrimmages=False)
    assert "has no scrimmages" in run("class", "scrimmages", "7a", "--none").out
    api.answers["POST", "/me/scrimmages/7/cancel"] = _scrimmage(over=True)
    assert run("my", "scrimmage", "cancel", "7", "--json").json()["id"] == 7


def test_opponents(run: Run, api: FakeApi) -> None:
    """Reference bots and those of others, and how many games are left until when."""
    told = {"reference": ["@random"], "others": [{"bot": "blue", "owner": "blues"}], "games_left": 3}
    told |= {"games_a_day": 20, "again_at": "2030-01-02T03:04:00Z"}
    api.answers["GET", "/me/opponents"] = sample(OpponentsOut, **told)
    ran = run("my", "scrimmage", "opponents")
    assert ("@random" in ran.out, "blues" in ran.out) == (True, True)
    assert "left in 24 hours: 3 of 20 games; the next are given back on 2030-01-02 03:04" in ran.err
