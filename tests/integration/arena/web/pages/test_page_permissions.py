"""Who may do what on the pages: every address as every role, and as nobody, and from other sites."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts

from arena.web.http.web_sessions import get_web_session
from arena.web.pages import is_private
from tests.integration.arena.roles import (
    ADMINS,
    CLASS,
    EVERYBODY,
    LEADERS,
    OWNERS,
    PLAYERS,
    RUNNERS,
    SEASON,
    SIGNED_IN,
    STAFF,
    STRANGER,
    WHO,
    each_role,
    settle,
    sign_in,
)
from tests.integration.arena.site import API, Site, play_cup, start_cup

READINESS = "/readyz"
"""What may say that the database is busy, as it is when all of the walk was just written to it."""
MAY: dict[tuple[str, str], frozenset[str]] = {
    **dict.fromkeys(
        (
            *(
                ("GET", path)
                for path in ("/", "/bots", "/sign-in", "/join", "/sign-in/link/{secret}", "/strings/{tag}.js")
            ),
            ("GET", "/ca.crt"),
            *(("GET", path) for path in ("/healthz", READINESS, "/metrics")),  # the last from this machine
            *(("GET", path) for path in ("/tournaments", "/ratings")),
            *(("GET", f"/games{rest}") for rest in ("", "/{name}", "/{name}/main.py")),
            ("GET", "/games/{name}/starters/{language}.zip"),
            ("GET", "/games/{name}/rules/{language}/{file}"),
            *(
                ("GET", f"/play{rest}")
                for rest in (
                    "",
                    "/{game}",
                    *(f"/games/{{address}}{of}" for of in ("", "/record", "/next", "/replay")),
                )
            ),
            ("POST", "/play/{game}"),
            *(
                ("GET", f"/experiments{rest}")
                for rest in ("", "/{number}", "/{number}/counts.csv", "/{number}/games.jsonl")
            ),
            ("GET", "/experiments/{number}/parts/{start}"),
            *(
                ("GET", f"/solves{rest}")
                for rest in ("", "/{number}", "/{number}/checkpoint", "/{number}/proof")
            ),
            *(("GET", f"/trainings{rest}") for rest in ("", "/{number}")),
            *(("GET", f"/sweeps{rest}") for rest in ("", "/{name}", "/{name}/table.csv")),
            ("GET", "/sweeps/{name}/table.jsonl"),
            *(("GET", f"/reproduction{rest}") for rest in ("", "/{document}")),
            ("GET", "/reproduction/{document}/figures/{key}.svg"),
            *(
                ("POST", f"/play/games/{{address}}/{act}")
                for act in ("moves", "undo", "restart", "seats", "resign", "hint", "next")
            ),
            *(("GET", f"/guide/{page}") for page in ("arena_bot.py", "{guide}")),
            ("GET", "/feed/{secret}"),
            ("GET", "/seasons"),
            ("GET", "/seasons/{season}"),
            *(
                ("GET", f"/bots/{{name}}{rest}")
                for rest in ("", "/matches", "/opponents", "/tournaments", "/ratings")
            ),
            *(
                ("GET", f"/tournaments/{{name}}{rest}")
                for rest in (
                    *(
                        "",
                        "/announcements",
                        "/crosstable",
                        "/present",
                        "/print",
                        "/bots/{bot}",
                        "/head-to-head",
                        "/balance",
                        "/accuracy",
                        "/ratings",
                    ),
                    *("/ratings/history", "/ladder", "/matches", "/matches/{number}"),
                    *("/matches/{number}/embed", "/matches/{number}/game.html"),
                )
            ),
            *(("POST", f"/sign-in/{way}") for way in ("password", "token", "link/{secret}")),
            *(("POST", f"/sign-in/passkey{rest}") for rest in ("", "/options")),
            ("POST", "/sign-in/openid"),
            ("GET", "/sign-in/openid/callback"),
            ("POST", "/sign-out"),
            ("POST", "/join"),
            ("POST", "/join/openid"),
        ),
        EVERYBODY,
    ),
    **dict.fromkeys(
        (
            ("GET", "/account"),
            ("POST", "/account/password"),
            ("POST", "/my/games/{name}/{number}/analysis"),
            ("POST", "/play/games/{address}/analysis"),
            *(("GET", f"/my/{page}") for page in ("following", "news", "news/unread")),
            *(("POST", path) for path in ("/my/news/seen", "/account/feeds")),
            *(("POST", f"/my/following{rest}") for rest in ("", "/remove")),
            ("POST", "/account/tokens"),
            ("POST", "/account/tokens/{number}/revoke"),
            ("POST", "/account/sessions/{number}/end"),
            ("POST", "/account/sessions/end"),
            ("POST", "/experiments/{number}/cancel"),
            *(("POST", f"/sweeps/{{name}}/{act}") for act in ("cancel", "resume")),
            ("GET", "/trainings/{number}/parts"),
            *(("POST", f"/account/passkeys{rest}") for rest in ("", "/options", "/{number}/remove")),
            *(("POST", f"/account/openid{rest}") for rest in ("", "/{number}/unlink")),
        ),
        SIGNED_IN,
    ),
    **dict.fromkeys(
        (
            ("POST", "/account/team/codes"),
            ("POST", "/account/team/codes/{number}/revoke"),
            ("POST", "/account/team/members/{name}/remove"),
        ),
        LEADERS,
    ),
    **dict.fromkeys(
        (
            *(
                ("GET", f"/my{rest}")
                for rest in (
                    *("", "/games", "/bots/new", "/questions", "/scrimmages"),
                    *("/scrimmages/{number}", "/scrimmages/{number}/games/{game}"),
                    "/scrimmages/{number}/games/{game}/record",
                )
            ),
            *(("POST", f"/my/scrimmages{rest}") for rest in ("", "/{number}/cancel")),
            ("POST", "/my/scrimmages/{number}/games/{game}/analysis"),
            *(("POST", path) for path in ("/my/bots/new", "/my/entries", "/my/entries/leave")),
            ("POST", "/my/pending-entries/withdraw"),
            *((method, f"/experiments/{form}") for method in ("GET", "POST") for form in ("new", "grid")),
            ("POST", "/my/questions"),
        ),
        PLAYERS,
    ),
    **dict.fromkeys(
        (("GET", "/my/games/{name}/{number}"), ("GET", "/my/games/{name}/{number}/record")),
        PLAYERS - {STRANGER},
    ),
    **dict.fromkeys(
        (
            ("GET", "/my/bots/{name}"),
            ("POST", "/my/bots/{name}/versions"),
            ("POST", "/my/bots/{name}/scrimmages"),
            *(("GET", f"/my/bots/{{name}}/versions/{{number}}{rest}") for rest in ("", "/files")),
            *(("POST", f"/my/bots/{{name}}/versions/{{number}}/check{rest}") for rest in ("", "/cancel")),
        ),
        OWNERS,
    ),
    **dict.fromkeys(
        (
            *(("GET", path) for path in ("/classes", "/manage", "/manage/new", "/questions")),
            *(("GET", path) for path in ("/staff", "/staff/errors", "/staff/checks", "/staff/users")),
            *(("POST", path) for path in ("/classes", "/manage/new", "/my/bots/new/reference")),
            *(("GET", path) for path in ("/manage/seasons", "/manage/seasons/new")),
            ("POST", "/manage/seasons/new"),
        ),
        STAFF,
    ),
    **dict.fromkeys(
        (
            ("GET", "/classes/{name}"),
            ("POST", "/classes/{name}/codes"),
            ("POST", "/classes/{name}/codes/{number}/revoke"),
            ("POST", "/classes/{name}/links"),
            ("POST", "/classes/{name}/announcements"),
            ("POST", "/manage/{name}/announcements"),
            ("GET", "/manage/{name}/questions"),
            ("POST", "/questions/{number}/answer"),
            ("POST", "/questions/{number}/close"),
            ("POST", "/classes/{name}/scrimmages"),
            ("GET", "/classes/{name}/roster"),
            ("POST", "/classes/{name}/roster"),
            ("POST", "/classes/{name}/roster/import"),
            *(("GET", f"/manage/{{name}}{rest}") for rest in ("", "/matches", "/matches/{number}")),
            *(
                ("POST", f"/manage/{{name}}/{act}")
                for act in ("open", "start", "pause", "resume", "end", "cancel", "entries", "entries/class")
            ),
            *(("POST", f"/manage/{{name}}/entries/{{bot}}/{act}") for act in ("withdraw", "disqualify")),
            *(
                ("POST", f"/manage/{{name}}/matches/{{number}}/{act}")
                for act in ("retry", "drop", "rerun", "result")
            ),
            ("POST", "/manage/{name}/rounds/rerun"),
            ("POST", "/manage/{name}/title"),
            ("POST", "/manage/{name}/analyses"),
            ("POST", "/manage/{name}/analyses/stop"),
            ("POST", "/manage/{name}/pending-entries"),
            ("POST", "/manage/{name}/pending-entries/{bot}/withdraw"),
            ("GET", "/manage/{name}/timetable"),
            ("POST", "/manage/{name}/timetable"),
            ("POST", "/manage/{name}/timetable/freeze"),
            ("GET", "/manage/{name}/reveal"),
            ("POST", "/manage/{name}/reveal/step"),
            ("POST", "/manage/{name}/reveal/all"),
            *(("GET", f"/classes/{{name}}/{rest}") for rest in ("hand-in", "hand-in/{token}", "checks")),
            *(("POST", f"/classes/{{name}}/hand-in{rest}") for rest in ("", "/{token}")),
            *(
                ("GET", f"/{kind}/{{name}}/likeness{rest}")
                for kind in ("classes", "manage")
                for rest in ("", "/{first}/{second}")
            ),
            *(("GET", f"/manage/{{name}}/{page}") for page in ("report", "grading", "story", "verification")),
            *(("GET", f"/manage/{{name}}/{page}.csv") for page in ("report", "grading", "story")),
            ("GET", "/manage/{name}/story/{number}"),
            ("POST", "/manage/{name}/grading"),
            ("POST", "/manage/{name}/grading/release"),
            ("GET", "/manage/seasons/{season}"),
            ("GET", "/manage/seasons/{season}/table.csv"),
            ("POST", "/manage/seasons/{season}"),
            ("POST", "/manage/seasons/{season}/remove"),
        ),
        RUNNERS,
    ),
    **dict.fromkeys(
        (
            ("POST", "/staff/errors/{name}/retry"),
            ("POST", "/staff/errors/{name}/{number}/retry"),
            ("POST", "/staff/checks/{name}/{number}/again"),
            ("POST", "/staff/checks/{name}/{number}/cancel"),
            ("GET", "/staff/users/{name}"),
            *(("POST", f"/staff/users/{{name}}/{act}") for act in ("link", "revoke", "disable", "enable")),
        ),
        RUNNERS,
    ),
    **dict.fromkeys(
        (
            *(("GET", f"/staff/{page}") for page in ("workers", "workers/keys", "storage", "webhooks")),
            *(("POST", f"/staff/{page}") for page in ("workers/codes", "workers/keys/{host}/revoke")),
            *((method, f"/{lab}/new") for method in ("GET", "POST") for lab in ("solves", "trainings")),
            ("POST", "/staff/webhooks"),
            ("GET", "/staff/webhooks/{number}"),
            *(("POST", f"/staff/webhooks/{{number}}/{act}") for act in ("stop", "start", "remove")),
            ("POST", "/staff/webhooks/{number}/deliveries/{delivery}/retry"),
            *(("POST", f"/staff/workers/{{host}}/{act}") for act in ("drain", "resume", "forget")),
            *(("POST", f"/staff/workers/{{host}}/{act}") for act in ("trust", "distrust", "purge")),
            ("POST", "/staff/environments/{name}/{digest}/choose"),
            ("POST", "/staff/experiments/{number}/retry"),
            ("POST", "/experiments/{number}/retry"),
            *(
                ("POST", f"/{lab}/{{number}}/{act}")
                for lab in ("solves", "trainings")
                for act in ("pause", "resume", "cancel")
            ),
            ("POST", "/staff/users/{name}/role"),
        ),
        ADMINS,
    ),
}
"""Who may do what at every address of the pages."""
PLACES = {
    "address": "AAAAAAAAAAAAAAAAAAAAAA",
    "bot": "red",
    "delivery": "1",
    "digest": "1" * 16,
    "document": "nim",
    "file": "rules.py",
    "first": "red",
    "game": "1",
    "guide": "student",
    "host": "pc-7",
    "key": "figure-1",
    "language": "python",
    "number": "1",
    "season": SEASON,
    "second": "blue",
    "secret": "none",
    "start": "0",
    "tag": "en",
    "token": "none",
}


def _routes(site: Site) -> Iterator[APIRoute]:
    routes = site.client.app.routes  # type: ignore[attr-defined]  # an application has routes
    for context in iter_route_contexts(routes):
        route = context.original_route
        if isinstance(route, APIRoute) and not str(context.path).startswith(API):
            yield route


def _asks_who(dependant: Dependant) -> bool:
    return dependant.call is get_web_session or any(map(_asks_who, dependant.dependencies))


def _addresses(site: Site) -> Iterator[tuple[str, str]]:
    for route in _routes(site):
        for method in route.methods or ():
            yield method, route.path


@pytest.fixture
def used(site: Site) -> Site:
    """A site with a tournament that was played, and somebody of every role."""
    start_cup(site)
    play_cup(site)
    settle(site)
    asked = {"text": "Why so?", "tournament": "cup", "match": 1}
    assert site.post("/me/questions", "ruby", json=asked).json()["number"] == 1
    return site


def address_of(path: str) -> str:
    """An address that a path of the table stands for, on a used site."""
    kind = path.removeprefix("/my").removeprefix("/staff").partition("/")[2].partition("/")[0]
    named = {
        "tournaments": "cup",
        "manage": "cup",
        "games": "cup",
        "classes": CLASS,
        "bots": "red",
        "errors": "cup",
        "checks": "red",
    }.get(kind, "ruby")
    return path.format(name="heap_nim" if path.startswith("/games") else named, **PLACES)


def test_the_table_is_whole(site: Site) -> None:
    """No address is without a line in the table, and none is there that does not exist."""
    assert set(_addresses(site)) == MAY.keys()


@pytest.mark.parametrize("role", each_role())
def test_every_address_by_role(used: Site, role: str) -> None:
    """Whoever is nobody is led to sign in, who may not is told 403; nobody else is."""
    for (method, path), may in MAY.items():
        answer = used.client.request(
            method, address_of(path), headers=sign_in(used, WHO[role]), follow_redirects=False
        )
        told = (method, path, answer.status_code)
        to_sign_in = answer.headers.get("location", "").startswith("/sign-in")
        if role in may:
            assert answer.status_code < 500 or told == ("GET", READINESS, 503), told
            assert answer.status_code != 403, told
            assert not to_sign_in, told
        elif WHO[role] is None:
            assert to_sign_in, told
        else:
            assert answer.status_code == 403, told


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://elsewhere.test"},
        {"Origin": "http://testserver:9000"},
        {"Origin": "null"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_no_other_site_sends_a_form(used: Site, headers: dict[str, str]) -> None:
    """What changes something is refused unless one of our own pages sends it, whoever is signed in."""
    cookie = {"Cookie": sign_in(used, "staff")["Cookie"]}
    for method, path in MAY:
        if method == "POST":
            answer = used.client.post(address_of(path), headers=cookie | headers, follow_redirects=False)
            assert answer.status_code == 403, path
    assert used.client.get("/account", headers=cookie).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://testserver"}, {"Sec-Fetch-Site": "same-origin"}],
)
def test_our_own_pages_send_forms(used: Site, headers: dict[str, str]) -> None:
    """Each of the two headers by which browsers tell where a form comes from is enough."""
    cookie = {"Cookie": sign_in(used, "staff")["Cookie"]}
    answer = used.client.post("/account/sessions/end", headers=cookie | headers, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")


def test_whoever_asks_who_is_signed_in_is_private(site: Site) -> None:
    """No page that depends on who is signed in has an address whose answers are shared or kept."""
    ask = {route.path for route in _routes(site) if _asks_who(route.dependant)}
    assert {"/account", "/classes/{name}"} <= ask
    assert [path for path in ask if not is_private(path)] == []


def test_the_api_does_not_look_at_cookies(used: Site) -> None:
    """A browser that is signed in is nobody to the API, so that no site can have it use it."""
    assert used.client.get(f"{API}/me", headers=sign_in(used, "staff")).status_code == 401
