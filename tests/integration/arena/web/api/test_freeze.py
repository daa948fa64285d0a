"""A frozen tournament: whoever does not run it finds no trace of what was recorded after the freeze."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena.core.terms import ExportFormat
from arena.people import users
from arena.submissions import versions
from arena.tournaments import amendments, freezing, lifecycle, matches
from arena.web import app as application
from tests.integration.arena.roles import ADMIN, ORGANISER, WHO, each_role, settle, sign_in
from tests.integration.arena.site import API, Site, calculator_of, start_cup
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.web.api.test_permissions import PLACES
from tests.integration.arena.web.pages.test_page_permissions import MAY
from tests.integration.arena.web.pages.test_page_permissions import PLACES as PAGE_PLACES
from tests.integration.arena.world import issue_matches, play

SEES_ALL = {ADMIN, ORGANISER}
QUERIES = {
    f"{API}/tournaments/{{name}}/export": [f"?format={form}" for form in ExportFormat],
    f"{API}/tournaments/{{name}}/head-to-head": ["?one=red&other=blue"],
    "/tournaments/{name}/head-to-head": ["?one=red&other=blue"],
    f"{API}/tournaments/{{name}}/matches": ["", "?bot=red", "?state=finished", "?state=pending", "?limit=1"],
    "/tournaments/{name}/matches": ["", "?bot=red", "?state=finished", "?state=finished&bot=blue"],
    f"{API}/tournaments/{{name}}/ratings": ["", "?resamples=2", "?pairwise=true"],
    f"{API}/tournaments/{{name}}/ratings/history": ["", "?kind=online"],
    "/tournaments/{name}/ratings/history": ["", "?kind=online"],
}
TABLES = (
    *(
        "/leaderboard",
        "/crosstable",
        "/ratings",
        "/ratings/history",
        "/matches",
        "/bots/red",
        "/balance",
        "/accuracy",
    ),
    *("/head-to-head?one=red&other=blue", "/export?format=csv", "/export?format=jsonl", ""),
)
WORKED_OUT = re.compile(rb"Worked out on [^<]*")
FROM_NOW = re.compile(rb"<time[^<]*</time>")
"""A moment in a forecast of what would begin now."""
NAMED = re.compile(r"/(?:matches|games/cup)/[0-9]+[/a-z]*")
"""The address of a match, as an answer has it that refuses one."""
VOLATILE = {"/api/v1/health", "/metrics"}
"""What tells of the arena's own work, whichever tournament that is of; the last on its own machine only."""


def _play(site: Site, number: int) -> None:
    """Play that many of the matches that wait, as they come."""
    world = site.world
    settings = world.settings.model_copy(update={"window": number})
    with world.database.transaction() as session:
        messages = issue_matches(session, settings)
    for message in messages[:number]:
        assert world.record(message, play(message.spec, seed=int(message.spec.match))) == "taken"


@pytest.fixture
def frozen(site: Site) -> Site:
    """A cup of twelve games, of which one was played before the freeze, and somebody of every role."""
    start_cup(site, openings=3)
    settle(site)
    _play(site, 1)
    return site


def _addresses(site: Site) -> Iterator[str]:
    """Every address of the API and the pages that is read, with what it may be asked for."""
    paths = [
        path
        for path, operations in site.get("/openapi.json").json()["paths"].items()
        for name in [operations.get("get", {}).get("operationId", "")]
        if name and not name.startswith("follow_")
    ]
    paths += [path for method, path in MAY if method == "GET"]
    for path in paths:
        if path in VOLATILE:
            continue
        kind = path.removeprefix(API).split("/")[1]
        named = {"tournaments": "cup", "games": "heap_nim", "classes": "7a", "manage": "cup"}
        numbers = ["1", "2", "3", "99"] if "/matches/{number}" in path else ["1"]
        for number in numbers:
            for query in QUERIES.get(path, [""]):
                yield (
                    path.format(**PLACES | PAGE_PLACES | {"name": named.get(kind, "red"), "number": number})
                    + query
                )


def _read(site: Site, role: str, pages: dict[str, str]) -> dict[str, tuple[int, Any, bytes]]:
    """What every address answers to a role: its status, its ETag and its bytes."""
    told = {}
    for address in _addresses(site):
        headers = site.headers(WHO[role]) if address.startswith(API) else pages
        answer = site.client.get(address, headers=headers, follow_redirects=False)
        content = WORKED_OUT.sub(b"", answer.content)
        if address == "/manage/new":
            content = FROM_NOW.sub(b"", content)
        told[address] = answer.status_code, answer.headers.get("etag"), content
    return told


Told = dict[str, tuple[int, Any, bytes]]


def _changed(before: Told, after: Told) -> dict[str, tuple[Any, Any]]:
    return {each: (told, after[each]) for each, told in before.items() if told != after[each]}


@contextmanager
def _anew(site: Site) -> Iterator[Site]:
    """Another application over the same database, which has kept no answer."""
    world = site.world
    url = world.database.engine.url.render_as_string(hide_password=False)
    settings = world.settings.model_copy(update={"database_url": url})
    app = application.create_app(settings, world.broker, calculator_of(settings, world))
    with TestClient(app, raise_server_exceptions=False, client=("127.0.0.1", 50000)) as client:
        yield replace(site, client=client)


def _freeze(site: Site, *, own: bool = False) -> None:
    with site.world.database.transaction() as session:
        cup = site.world.get(session)
        freezing.freeze(session, site.world.staff, cup, own=own)


def _end(site: Site) -> None:
    """Play on behind the freeze to the end: with another result of the first match, and one decided."""
    world = site.world
    _play(site, 2)
    with world.database.transaction() as session:
        cup = world.get(session)
        amendments.rerun(session, world.staff, _match(site, session, 1), "power cut")
        amendments.set_result(session, world.staff, _match(site, session, 5), "first", "agreed")
        assert cup.frozen_at is not None
    _play(site, 9)
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))


def _match(site: Site, session: Any, number: int) -> Any:
    return matches.get(session, site.world.get(session), number)


@pytest.mark.parametrize("role", each_role(role for role in WHO if role not in SEES_ALL))
def test_nothing_changes_for_others(frozen: Site, role: str) -> None:
    """Every address answers the same bytes after the hidden results as before: kept or made anew."""
    pages = sign_in(frozen, WHO[role])
    _freeze(frozen)
    before = _read(frozen, role, pages)
    _end(frozen)
    after = _read(frozen, role, pages)
    assert _changed(before, after) == {}
    with _anew(frozen) as anew:
        assert _changed(before, _read(anew, role, pages)) == {}
    assert sum(status == 200 for status, _, _ in before.values()) > len(before) / 3


def test_the_address_of_a_feed_opens_nothing_else(frozen: Site) -> None:
    """Who shows the secret in it as a token is told no more than everybody, though it is an organiser's."""
    frozen.tokens["feed"] = frozen.post("/me/tokens", "teacher", json={"scope": "feed"}).json()["token"]
    _freeze(frozen, own=True)
    _end(frozen)
    for address in (
        f"{root}/tournaments/cup{table}" for root in (API, "") for table in (*TABLES, "/matches/4")
    ):
        told, public = (frozen.client.get(address, headers=frozen.headers(who)) for who in ("feed", None))
        refused = (told.status_code, public.status_code) == (403, 200)
        assert refused or told.content == public.content, address


def test_a_ladder_that_ends_behind_its_freeze_is_told_as_going_on(site: Site) -> None:
    """Whoever may enter a frozen ladder still sees it among what is open, and nothing new about it."""
    settle(site)
    start_cup(site, format="ladder")
    addresses = [f"{API}/me/{each}" for each in ("openings", "news")]
    addresses += [f"/my{each}" for each in ("", "/news", "/questions", "/scrimmages", "/bots/blue")]

    def told(who: str) -> dict[str, bytes]:
        pages = sign_in(site, who)
        headers = {each: site.headers(who) if each.startswith(API) else pages for each in addresses}
        return {each: site.client.get(each, headers=headers[each]).content for each in addresses}

    _freeze(site)
    before = {who: told(who) for who in ("looker", "elsewhere")}
    with site.world.database.transaction() as session:
        lifecycle.end(session, site.world.staff, site.world.get(session))
    assert {who: told(who) for who in before} == before
    assert b'"cup"' in before["elsewhere"][f"{API}/me/openings"]


def test_no_other_spelling_of_an_address_tells_more(frozen: Site) -> None:
    """With a control character there is nothing anywhere, and with a space no more than without."""
    _freeze(frozen)
    _end(frozen)
    for address in _addresses(frozen):
        path, mark, query = address.partition("?")
        for odd in (f"{path}%0A", f"{path}%C2%85", f"{path[:-1]}%00{path[-1:]}"):
            assert frozen.client.get(f"{odd}{mark}{query}").status_code == 404, odd
    hidden, spaced = (frozen.get(f"/tournaments/cup/matches/{number}") for number in ("4", "%204"))
    assert spaced.json() | {"instance": ""} == hidden.json() | {"instance": ""}


def test_a_team_is_told_why_its_games_are_not_listed(frozen: Site) -> None:
    """Its own pages name the tournament, unless teams see their own games; and not after the reveal."""
    headers = sign_in(frozen, "red")
    words = "Frozen until the reveal, and not told here: cup."
    pages = ("/my", "/my/games")

    def told() -> list[bool]:
        return [words in frozen.client.get(page, headers=headers).text for page in pages]

    assert told() == [False, False]
    _freeze(frozen)
    assert told() == [True, True]
    _end(frozen)
    assert frozen.post("/tournaments/cup/reveal", "staff").status_code == 200
    assert told() == [False, False]


def test_staff_sees_all_and_everybody_after_the_reveal(frozen: Site) -> None:
    """Who runs it is told of hidden results wherever tables are, and after the reveal everybody."""
    _freeze(frozen)
    hidden = {table: frozen.get(f"/tournaments/cup{table}") for table in TABLES}
    _end(frozen)
    for who in ("staff", "teacher"):
        for table in TABLES:
            seen = frozen.get(f"/tournaments/cup{table}", who)
            assert seen.status_code == 200, table
            assert seen.content != hidden[table].content, table
            assert "frozen-since" in hidden[table].headers or table.startswith("/export")
    behind = frozen.client.get("/manage/cup/timetable", headers=sign_in(frozen, "teacher"))
    assert (behind.status_code, "The table behind the freeze" in behind.text) == (200, True)
    assert frozen.client.get("/manage/cup/reveal", headers=sign_in(frozen, "teacher")).status_code == 200
    assert frozen.post("/tournaments/cup/reveal", "staff").status_code == 200
    for table in TABLES:
        told = frozen.get(f"/tournaments/cup{table}")
        assert told.content == frozen.get(f"/tournaments/cup{table}", "looker").content
        assert told.content != hidden[table].content, table
        assert "frozen-since" not in told.headers
    assert frozen.get("/tournaments/cup/leaderboard").json()["played"] == 12
    assert frozen.get("/tournaments/cup", "red").json()["state"] == "cancelled"


def test_what_was_kept_before_is_not_told_in_another_state(frozen: Site) -> None:
    """Kept answers of before the freeze, of staff and public, are never mixed up: each asks all the time."""
    path = "/tournaments/cup/ratings"
    assert frozen.get(path).content == frozen.get(path, "staff").content
    _freeze(frozen)
    kept = frozen.get(path).content
    _play(frozen, 2)
    for _ in range(2):
        assert frozen.get(path, "staff").content != kept
        assert frozen.get(path).content == kept
        assert frozen.get(path, "elsewhere").content == kept
    frozen.post("/tournaments/cup/reveal", "teacher")
    assert frozen.get(path).content == frozen.get(path, "staff").content != kept


def test_teams_see_their_own_matches_where_that_was_chosen(frozen: Site) -> None:
    """With `own` a team and its members see their matches and the list of these; and no tables."""
    _freeze(frozen, own=True)
    table = frozen.get("/tournaments/cup/leaderboard").content
    _play(frozen, 2)
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
    _freeze(frozen)
    asked = (("/entries", {"bot": "red"}), ("/entries/red/withdraw", {"reason": "ill"}))
    before = [frozen.post(f"/tournaments/cup{path}", "red", json=body).json() for path, body in asked]
    _end(frozen)
    after = [frozen.post(f"/tournaments/cup{path}", "red", json=body).json() for path, body in asked]
    assert [each["status"] for each in before] == [409, 409]
    assert before == after


def test_a_reveal_by_the_api(frozen: Site) -> None:
    """Step by step, and back, and what comes last is public; a press that comes twice counts once."""
    _freeze(frozen)
    path = "/tournaments/cup/reveal"
    refused = frozen.post(f"{path}/step", "staff", json={"at": 0, "to": 1})
    assert (refused.status_code, "still being played" in refused.json()["detail"]) == (409, True)
    _end(frozen)
    one = frozen.post(f"{path}/step", "staff", json={"at": 0, "to": 1}).json()
    assert (one["step"], one["steps"], sum(line["shown"] for line in one["items"])) == (1, 2, 1)
    assert frozen.post(f"{path}/step", "staff", json={"at": 0, "to": 1}).json() == one
    assert frozen.post(f"{path}/step", "staff", json={"at": 1, "to": 0}).json()["step"] == 0
    assert frozen.post(f"{path}/step", "teacher", json={"at": 0, "to": 1}).json() == one
    assert frozen.get("/tournaments/cup").json()["frozen_at"] is not None
    last = frozen.post(f"{path}/step", "staff", json={"at": 1, "to": 2}).json()
    final = frozen.get("/tournaments/cup/leaderboard").json()["items"]
    assert [(line["place"], line["bot"], line["points"]) for line in last["items"]] == [
        (line["rank"], line["bot"], line["points"]) for line in final
    ]
    assert last["frozen_at"] is None
    kinds = [line["kind"] for line in frozen.get("/tournaments/cup/log", "staff").json()["items"]]
    assert kinds[0] == "tournament.revealed"
    assert {"tournament.frozen", "reveal.moved"} <= set(kinds)


@pytest.mark.parametrize("own", [True, False])
def test_a_team_replays_its_own_game_on_its_page(frozen: Site, own: bool) -> None:
    """Where that was chosen its page of a game has result, board and moves; otherwise there is none."""
    _freeze(frozen, own=own)
    _play(frozen, 2)
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
    _freeze(site, own=own)
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
    _freeze(site)
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
