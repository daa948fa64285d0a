"""A frozen tournament as its teams have it: they learn what their own games tell, or nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.people import users
from arena.submissions import versions
from arena.tournaments import amendments, lifecycle
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.web.api.hiding import end_hidden, freeze, play_some
from tests.integration.arena.world import play

NAMED = re.compile(r"/(?:matches|games/cup)/[0-9]+[/a-z]*")
"""The address of a match, as an answer has it that refuses one."""


def test_a_team_is_told_why_its_games_are_not_listed(frozen: Site) -> None:
    """Its own pages name the tournament, unless teams see their own games; and not after the reveal."""
    headers = sign_in(frozen, "red")
    words = "Frozen until the reveal, and not told here: cup."
    pages = ("/my", "/my/games")

    def told() -> list[bool]:
        return [words in frozen.client.get(page, headers=headers).text for page in pages]

    assert told() == [False, False]
    freeze(frozen)
    assert told() == [True, True]
    end_hidden(frozen)
    assert frozen.post("/tournaments/cup/reveal", "staff").status_code == 200
    assert told() == [False, False]


def test_teams_see_their_own_matches_where_that_was_chosen(frozen: Site) -> None:
    """With `own` a team and its members see their matches and the list of these; and no tables."""
    freeze(frozen, own=True)
    table = frozen.get("/tournaments/cup/leaderboard").content
    play_some(frozen, 2)
    done = [each.number for each in frozen.world.matches() if each.state == "finished"][-1]
    for who in ("red", "ruby", "blue", "staff"):
        assert frozen.get(f"/tournaments/cup/matches/{done}", who).json()["state"] == "finished", who
        assert frozen.get(f"/tournaments/cup/matches/{done}/record", who).status_code == 200
        assert frozen.get(f"/tournaments/cup/matches/{done}/positions", who).json()["plies"] > 4
    assert frozen.get("/tournaments/cup/matches?bot=red&state=finished", "red").json()["total"] == 3
    assert frozen.get("/tournaments/cup/matches?bot=red&state=finished", "blue").json()["total"] == 1
    others: tuple[str | None, ...] = (None, "looker", "elsewhere")
    opening = len(frozen.get(f"/tournaments/cup/matches/{done}").json()["opening"])
    for other in others:
        assert frozen.get(f"/tournaments/cup/matches/{done}", other).json()["state"] != "finished"
        assert frozen.get(f"/tournaments/cup/matches/{done}/record", other).status_code == 409
        assert frozen.get(f"/tournaments/cup/matches/{done}/positions", other).json()["plies"] == opening
    assert frozen.get("/tournaments/cup/leaderboard", "red").content == table


def test_who_enters_or_leaves_learns_nothing(frozen: Site) -> None:
    """A team that would enter or withdraw is told that it is frozen, also when all is over."""
    freeze(frozen)
    asked = (("/entries", {"bot": "red"}), ("/entries/red/withdraw", {"reason": "ill"}))
    before = [frozen.post(f"/tournaments/cup{path}", "red", json=body).json() for path, body in asked]
    end_hidden(frozen)
    after = [frozen.post(f"/tournaments/cup{path}", "red", json=body).json() for path, body in asked]
    assert [each["status"] for each in before] == [409, 409]
    assert before == after


@pytest.mark.parametrize("own", [True, False])
def test_a_team_replays_its_own_game_on_its_page(frozen: Site, own: bool) -> None:
    """Where that was chosen its page of a game has result, board and moves; otherwise there is none."""
    freeze(frozen, own=own)
    play_some(frozen, 2)
    page, other = (
        frozen.client.get("/my/games/cup/2", headers=sign_in(frozen, user)) for user in ("red", "staff")
    )
    assert other.status_code == 200
    assert page.status_code == (200 if own else 404)
    assert ('id="board"' in page.text, 'class="steps"' in page.text) == (own, own)
    assert "/tournaments/cup/matches/2" not in page.text
    there = frozen.client.get("/my/games/cup/2?ply=1", headers=sign_in(frozen, "red"))
    assert ("Ply 1 of" in there.text) == own


def _play_rounds(site: Site) -> None:
    """Play on until there is nothing more to play, each round paired by what came of the one before."""
    coordinator, queue = coordinator_of(site.world), site.world.broker.queue
    for _ in range(10):  # a round is paired in one tick, and its games are given out in the next
        coordinator.tick()
        while queue:
            message = queue.pop(0)
            assert site.world.record(message, play(message.spec, seed=int(message.spec.match))) == "taken"


def _asked_of(site: Site, user: str, number: int) -> list[tuple[int, str]]:
    """What a user is answered who asks for a match in every way in which one can be asked for."""
    headers, page = sign_in(site, user), f"/my/games/cup/{number}"
    question = {"text": "why?", "tournament": "cup", "match": number}
    answers = [
        site.post(f"/tournaments/cup/matches/{number}/analysis", user),
        site.post("/me/questions", user, json=question),
        site.client.get(page, headers=headers),
        site.client.get(f"{page}/record", headers=headers),
        site.client.post(f"{page}/analysis", headers=headers, follow_redirects=False),
    ]
    return [(each.status_code, NAMED.sub("", each.text)) for each in answers]


@pytest.mark.parametrize("own", [True, False])
def test_nobody_is_told_how_many_games_there_are(site: Site, own: bool) -> None:
    """Of a game of others behind the freeze the same is told as of one that is not there, whatever asks."""
    site.world.tournament(format="swiss", options={"rounds": 3})
    with site.world.database.transaction() as session:
        for bot, owner in (("cup-bot1", "red"), ("cup-bot2", "blue")):
            versions.get(session, bot).owner_id = users.get(session, owner).id
    freeze(site, own=own)
    _play_rounds(site)
    played = {each.number: each for each in site.world.matches()}
    assert len(played) == 6
    for user, bot in (("red", "cup-bot1"), ("blue", "cup-bot2")):
        nothing = _asked_of(site, user, 99)
        assert [status for status, _ in nothing] == [404] * 5
        for number, match in played.items():
            mine = own and bot in {each.version.bot.name for each in (match.first, match.second)}
            told = _asked_of(site, user, number)
            assert (told == nothing) is not mine
            assert (404 in {status for status, _ in told}) is not mine


@pytest.mark.parametrize("ladder", [True, False])
def test_a_team_is_not_told_what_became_of_its_entry(site: Site, ladder: bool) -> None:
    """Whatever version plays, it is expelled or a ladder ends: its place stays as it was; the staff sees."""
    start_cup(site, **({"format": "ladder"} if ladder else {}))
    settle(site)
    with site.world.database.transaction() as session:
        site.world.version(session, versions.get(session, "red"))
    freeze(site)
    before = {user: _own_place(site, user) for user in ("red", "ruby", "teacher")}
    with site.world.database.transaction() as session:
        cup, red = site.world.get(session), versions.get(session, "red")
        if ladder:
            lifecycle.enter(session, site.world.staff, cup, red, 2)
        amendments.disqualify(session, site.world.staff, cup, red, "cheats")
        if ladder:
            lifecycle.end(session, site.world.staff, cup)
    after = {user: _own_place(site, user) for user in before}
    assert [after[user] == before[user] for user in before] == [True, True, not ladder]
    assert site.post("/tournaments/cup/reveal", "staff").status_code == 200
    assert "disqualified" in site.get("/me/bots", "red").text
    assert "disqualified" in site.client.get("/my", headers=sign_in(site, "ruby")).text


def _own_place(site: Site, user: str) -> dict[str, Any]:
    """What a team's pages and lists tell a user of what its bots take part in, and could."""
    headers = sign_in(site, user)
    lists = {path: site.get(path, user).json() for path in ("/me/bots", "/me/openings", "/me/news")}
    pages = ("/my", "/my/games", "/my/bots/red", "/my/bots/red/versions/1", "/my/bots/red/versions/2")
    return lists | {path: site.client.get(path, headers=headers).text for path in pages}
