"""`arena tournament rating-history`: what is asked, and what is printed of the answer."""

from __future__ import annotations

from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api

__all__ = ["api"]

POINT = {"games": 40, "round": 2, "at": None, "prior": None}
LINE = {"entry": 1, "bot": "ann", "version": 1, "owner": "red", "games": 9}


def _answer(api: FakeApi, **more: object) -> None:
    api.answers["GET", "/tournaments/spring/ratings/history"] = {
        "tournament": "spring",
        "state": "running",
        "kind": "likelihood",
        "order_dependent": False,
        "forgotten": 0,
        "points": [POINT | {"round": 1, "prior": "separated"}, POINT],
        "items": [
            LINE | {"ratings": [None, 31.4], "errors": [None, 12.2]},
            LINE | {"bot": "zoe", "games": 0, "ratings": [None, None], "errors": [None, None]},
        ],
    } | more


def test_rounds_and_priors_are_told(run: Run, api: FakeApi) -> None:
    """Every round has a column, a starred one where a prior was needed, with what the star means."""
    _answer(api)
    ran = run("tournament", "rating-history", "spring", "--points", "2")
    assert ran.code == 0, ran.err
    assert "round 1*" in ran.out
    assert "round 2 " in ran.out or "round 2\n" in ran.out
    assert "+31 ± 12" in ran.out
    assert "* provisional" in ran.out
    assert "depends on the order" not in ran.out
    assert dict(api.asked[-1].url.params) == {"kind": "likelihood", "points": "2"}
    assert run("tournament", "rating-history", "spring", "--json").json()["points"][1] == POINT


def test_the_online_rating_says_what_it_is(run: Run, api: FakeApi) -> None:
    """The online rating is told by games, as dependent on their order, with what it forgot."""
    point = {"games": 1250, "round": None, "at": "2026-01-01T00:00:00Z", "prior": None}
    _answer(api, kind="online", order_dependent=True, forgotten=1200, points=[point, point])
    ran = run("tournament", "rating-history", "spring", "--online")
    assert "1,250 games" in ran.out
    assert "it depends on the order" in ran.out
    assert "forgotten: the first 1,200 games" in ran.out
    assert dict(api.asked[-1].url.params) == {"kind": "online", "points": "6"}
