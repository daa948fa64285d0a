"""How a ladder stands: its order is the ratings', with what the newest round did, form and last games."""

from __future__ import annotations

from typing import Any

import pytest

from arena.core.terms import Role
from arena.people import users
from arena.schemas.plans import TournamentPlan
from arena.submissions import versions
from arena.tournaments import freezing, lifecycle
from tests.integration.arena.asking import asked
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import GAME, PARAMS, play

BOTS = ("red", "blue", "green", "grey")
OUTCOMES = {"won": 2, "drawn": 1, "lost": 0, "forfeit": 0}


@pytest.fixture
def ladder(site: Site) -> Site:
    """A ladder of four bots, of which three rounds were played."""
    world = site.world
    with world.database.transaction() as session:
        for name in BOTS[2:]:
            team, site.tokens[name] = users.create_user(session, name, Role.TEAM)
            world.bot(session, name, team)
        options = {"rounds": 6, "newcomer_games": 2}
        plan = TournamentPlan(
            name="ladder", game=GAME, params=PARAMS, format="ladder", options=options, openings=2, seed=7
        )
        made = lifecycle.create(session, world.staff, plan)
        lifecycle.open_(session, world.staff, made)
        for bot in BOTS:
            lifecycle.enter(session, world.staff, made, versions.get(session, bot))
    with world.database.transaction() as session:
        lifecycle.start(session, world.staff, world.get(session, "ladder"))
    _rounds(site, 3)
    return site


def _rounds(site: Site, number: int) -> None:
    """Play so many rounds: each is paired when the one before is over."""
    coordinator = coordinator_of(site.world, Later())
    for _ in range(number):
        while not site.world.broker.queue:
            coordinator.tick()
        for message in list(site.world.broker.queue):
            site.world.record(message, play(message.spec, seed=int(message.spec.match)))
        site.world.broker.queue.clear()


def _table(site: Site, user: str | None = None) -> Any:
    return site.get("/tournaments/ladder/ladder", user).json()


def test_the_order_is_the_ratings(ladder: Site) -> None:
    """Lines are those of the table of ratings; games, form and what was played last are the recorded ones."""
    told = _table(ladder)
    rated = ladder.get("/tournaments/ladder/ratings").json()["items"]
    assert [{key: line[key] for key in rated[0]} for line in told["items"]] == rated
    assert (told["round"], told["newcomer_games"]) == (3, 2)
    played = ladder.get("/tournaments/ladder/matches?state=finished").json()["items"]
    assert len(played) == 12
    assert [each["number"] for each in told["last"]] == [
        each["number"]
        for each in sorted(played, key=lambda e: (e["result"]["recorded_at"], e["number"]), reverse=True)
    ][:10]
    for line in told["items"]:
        own = {
            each["number"]: each["result"]["points"][seat]
            for each in played
            for seat in (0, 1)
            if each["seats"][seat]["bot"] == line["bot"]
        }
        assert {each["match"]: OUTCOMES[each["outcome"]] / 2 for each in line["form"]} == own
        assert line["games"] <= len(own)


def test_what_the_newest_round_did(ladder: Site) -> None:
    """Places and ratings that changed are the differences to how it stood a round before."""
    before = {line["bot"]: line for line in _table(ladder)["items"]}
    _rounds(ladder, 1)
    told = _table(ladder)
    assert told["round"] == 4
    mean = sum(line["rating"] - before[line["bot"]]["rating"] for line in told["items"]) / len(BOTS)
    for line in told["items"]:
        was = before[line["bot"]]
        assert line["places"] == was["rank"] - line["rank"]
        assert line["change"] == pytest.approx(line["rating"] - was["rating"] - mean, abs=0.01)


def test_the_page_says_what_counts(ladder: Site) -> None:
    """The page has the table, the marks of results as letters, the error bars, and the rule in words."""
    page = ladder.client.get("/tournaments/ladder/ladder").text
    told = _table(ladder)
    assert [f'id="entry-{line["entry"]}"' in page for line in told["items"]] == [True] * 4
    assert page.count('class="error-bar"') == 4
    assert page.count('class="letter ') == sum(len(line["form"]) for line in told["items"])
    assert "What counts here is the rating" in page
    assert '/tournaments/ladder/ladder"' in ladder.client.get("/tournaments/ladder").text


def test_no_other_tournament_has_one(site: Site) -> None:
    """Of a round robin there is no such page, and no link to it."""
    start_cup(site)
    assert site.get("/tournaments/cup/ladder").status_code == 404
    assert site.client.get("/tournaments/cup/ladder").status_code == 404
    assert "/tournaments/cup/ladder" not in site.client.get("/tournaments/cup").text


def test_a_frozen_ladder_stands_still(ladder: Site) -> None:
    """After a freeze the public sees it as it was, and who runs it as it is."""
    with ladder.world.database.transaction() as session:
        freezing.freeze(session, ladder.world.staff, ladder.world.get(session, "ladder"), own=True)
    before = _table(ladder)
    assert len(before["last"]) == 10
    assert all(line["form"] for line in before["items"])
    _rounds(ladder, 2)
    assert _table(ladder) == before
    assert _table(ladder, "red") == before
    assert _table(ladder, "staff")["round"] == 5


def test_more_rounds_need_no_more_statements(ladder: Site) -> None:
    """Working it out asks as many questions of three rounds as of six."""

    def count(number: int) -> int:
        with asked("SELECT") as found:
            assert ladder.get(f"/tournaments/ladder/ladder?again={number}").status_code == 200
        return len(found)

    few = min(map(count, range(3)))
    _rounds(ladder, 3)
    assert min(map(count, range(3))) == few
