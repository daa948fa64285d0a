"""The history of ratings over the API and on its page: what its points are, and what it says of itself."""

from __future__ import annotations

import random

import pytest

from arena.results import rating_history
from tests.integration.arena.site import Site, play_cup, site, start_cup
from tests.integration.arena.world import World, issue_matches, play

__all__ = ["site"]

HISTORY = "/tournaments/cup/ratings/history"


def test_the_last_point_is_the_table(site: Site) -> None:
    """The maximum likelihood of the last round is the table of ratings, and its order says nothing."""
    start_cup(site, openings=4, opening_plies=2)
    play_cup(site)
    table, told = site.get("/tournaments/cup/ratings").json(), site.get(HISTORY).json()
    assert (told["kind"], told["order_dependent"], told["forgotten"]) == ("likelihood", False, 0)
    assert [point["round"] for point in told["points"]] == [1, 2]
    assert [point["games"] for point in told["points"]] == [8, 16]
    last = [(line["bot"], line["games"], line["ratings"][-1], line["errors"][-1]) for line in told["items"]]
    assert last == [(line["bot"], line["games"], line["rating"], line["error"]) for line in table["items"]]
    assert (told["points"][-1]["prior"] is None) == (table["prior"] is None)
    assert site.get(HISTORY + "?points=1").json()["points"] == told["points"][-1:]


def test_the_online_rating_says_that_it_depends_on_the_order(site: Site) -> None:
    """It has a point for recorded games, with their moments, and is marked as dependent on the order."""
    start_cup(site, openings=4, opening_plies=2)
    play_cup(site)
    told = site.get(HISTORY + "?kind=online&points=4").json()
    assert (told["kind"], told["order_dependent"]) == ("online", True)
    assert [point["games"] for point in told["points"]] == [4, 8, 12, 16]
    moments = [point["at"] for point in told["points"]]
    assert moments == sorted(moments)
    assert all(point["round"] is point["prior"] is None for point in told["points"])
    first, second = told["items"]
    assert first["ratings"][-1] == -second["ratings"][-1] >= 0
    assert first["games"] == second["games"] == 16


def test_the_online_rating_looks_back_so_far_and_says_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games too long ago are forgotten, and counted as such."""
    monkeypatch.setattr(rating_history, "MAX_ONLINE", 6)
    start_cup(site, openings=4, opening_plies=2)
    play_cup(site)
    told = site.get(HISTORY + "?kind=online&points=3").json()
    assert told["forgotten"] == 10
    assert [point["games"] for point in told["points"]] == [12, 14, 16]
    assert [line["games"] for line in told["items"]] == [6, 6]


def test_games_without_a_winner_by_double_forfeit_are_no_part(site: Site) -> None:
    """Before the first rated game there are no points, and everybody is listed without a rating."""
    start_cup(site)
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for message in messages:
        site.world.record(message, play(message.spec, forfeits=(0, 1)))
    for kind in ("likelihood", "online"):
        told = site.get(f"{HISTORY}?kind={kind}").json()
        assert told["points"] == []
        assert [line["ratings"] for line in told["items"]] == [[], []]


@pytest.mark.parametrize("query", ["points=0", "points=101", "kind=elo"])
def test_impossible_wishes_are_refused(site: Site, query: str) -> None:
    """What cannot be told is refused with a problem."""
    start_cup(site)
    assert site.get(f"{HISTORY}?{query}").status_code == 422


def test_too_many_bots_have_no_history(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A history that would keep the arena busy is refused with the reason."""
    monkeypatch.setattr(rating_history, "MAX_BOTS", 1)
    start_cup(site)
    refused = site.get(HISTORY)
    assert refused.status_code == 409
    assert "up to 1 bots" in refused.json()["detail"]


def _told(world: World, order: int) -> tuple[str, str]:
    """Both histories as text, after all games came in shuffled by `order`."""
    world.tournament(bots=5, openings=3, opening_plies=2)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    random.Random(order).shuffle(messages)
    for message in messages:
        world.record(message)
    with world.database.reading() as session:
        likelihood, online = (
            rating_history.history(session, world.get(session), kind, 5) for kind in ("likelihood", "online")
        )
    return repr([line.ratings for line in likelihood.lines]), repr([line.ratings for line in online.lines])


def test_no_order_of_arrival_changes_the_likelihoods_history(sqlite_world: object) -> None:
    """Two orders of arrival give the same maximum likelihood at every point, and other online ratings."""
    assert callable(sqlite_world)
    one, other = _told(sqlite_world(), 1), _told(sqlite_world(), 2)
    assert one[0] == other[0]
    assert one[1] != other[1]
