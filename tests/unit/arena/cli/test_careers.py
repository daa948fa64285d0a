"""`arena bot show` and `arena tournament ladder`: what is asked, and what is printed of the answers."""

from __future__ import annotations

from arena.schemas.careers import CareerGame, CareerOpponent, CareerOut, CareerPlace, SumOut
from arena.schemas.ladders import LadderLine, LadderOut, LadderResult
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]


def test_a_bots_career_is_shown(run: Run, api: FakeApi) -> None:
    """Its sums by game, its last games, its places, and whom it has met; as JSON the answers."""
    last = sample(CareerGame, tournament="cup", match=7, opponent="zoe", outcome="won", reason="board_full")
    sums = sample(SumOut, game="heap_nim", won=5, drawn=0, lost=2)
    api.answers["GET", "/bots/ann/career"] = sample(
        CareerOut, bot="ann", owner="red", games=[sums], form=[last]
    )
    place = sample(CareerPlace, tournament="cup", state="finished", rank=3, entries=31, points=4.5)
    api.answers["GET", "/bots/ann/tournaments"] = page(place)
    met = sample(CareerOpponent, opponent="zoe", owner="blue", won=4, drawn=0, lost=1)
    api.answers["GET", "/bots/ann/opponents"] = page(met)
    ran = run("bot", "show", "ann")
    assert ran.code == 0, ran.err
    for words in ("ann of red", "heap_nim", "won against zoe: match 7 of cup (board_full)", "4.5", "blue"):
        assert words in ran.out
    told = run("bot", "show", "ann", "--json").json()
    assert (told["career"]["games"], told["tournaments"], told["opponents"]) == ([sums], [place], [met])
    assert "nothing at this address" in run("bot", "show", "nobody").err


def test_a_ladder_is_shown(run: Run, api: FakeApi) -> None:
    """By rating, with what the newest round did; who has no rating yet stands without one."""
    form = [sample(LadderResult, match=4, outcome="won"), sample(LadderResult, match=2, outcome="lost")]
    rated = sample(
        LadderLine, bot="ann", owner="red", rank=1, rating=81.6, error=12.2, places=2, change=9.6, form=form
    )
    newcomer = sample(LadderLine, bot="zoe", rank=None, rating=None, error=None, places=None, change=None)
    answer = sample(LadderOut, tournament="class", state="running", round=9, items=[rated, newcomer])
    api.answers["GET", "/tournaments/class/ladder"] = answer
    ran = run("tournament", "ladder", "class")
    assert ran.code == 0, ran.err
    for words in ("class: running, round 9", "+2", "+82", "+10", "W L", "zoe"):
        assert words in ran.out
    assert "provisional" not in ran.out
    assert run("tournament", "ladder", "class", "--json").json() == answer
    api.answers["GET", "/tournaments/class/ladder"] = answer | {
        "prior": {"deviation": 400.0, "reason": "not connected"}
    }
    assert "provisional" in run("tournament", "ladder", "class").out
