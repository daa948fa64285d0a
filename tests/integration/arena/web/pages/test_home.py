"""The home page: what is on, what comes and what was, to whoever comes, and cheaply."""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import Any
from urllib.parse import quote

import pytest

from arena.core.clock import utc_now
from arena.schemas.plans import TournamentPlan
from arena.submissions import versions
from arena.tournaments import amendments, freezing, lifecycle
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import READER, WHO, settle, sign_in
from tests.integration.arena.site import Site, play_cup, start_cup
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.web.pages.browser import read
from tests.integration.arena.world import GAME, PARAMS, issue_matches, play

RATINGS = "/games/reversed_reversi/ratings"
SMALL = quote('{"size": 4}')
CIRCLES = {"game": "circle_nim", "params": {"rows": 3}}
MAX_STATEMENTS = 20
"""So many are asked for a page with a tournament that is played, however many games and bots it has."""


def _home(site: Site, who: str | None = None, **headers: str) -> str:
    cookies = sign_in(site, who)["Cookie"] if who else ""
    answer = read(site, "/", cookies, **headers)
    assert answer.status_code == 200
    return str(answer.text)


def _top(site: Site) -> dict[str, tuple[int, int]]:
    """The games that the ratings count: of how many tournaments, and how many."""
    told = site.get(f"{RATINGS}?params={SMALL}").json()
    return {"counted": (told["tournaments"], told["games"])}


@pytest.mark.parametrize("who", [WHO["public"], WHO["team"], WHO["organiser"]])
def test_an_empty_arena_says_what_to_do_first(used: Site, who: str | None) -> None:
    """Guests are shown to a board, students to their bot and teachers to a tournament, whoever looks."""
    page = _home(used, who)
    steps = page[page.index('id="first-steps"') :]
    for address in ("/play", "/games", "/sign-in", "/my/bots/new", "/classes", "/manage/new"):
        assert f'href="{address}"' in steps
    assert "arena tournament create" in steps
    assert ('href="/manage">' in page, 'href="/my">' in page) == (who == "teacher", who == "blue")
    chinese = _home(used, who, **{"Accept-Language": "zh-TW"})
    assert "我是學生" in chinese


def test_only_who_may_is_asked_to_hand_in_a_bot(used: Site) -> None:
    """Readers, who have no bots, see no button for it in any language; everybody else does."""
    button = '<a role="button" class="secondary" href="/my/bots/new">'
    for language in ("en", "zh-TW"):
        asked = [
            role for role, who in WHO.items() if button in _home(used, who, **{"Accept-Language": language})
        ]
        assert asked == [role for role in WHO if role != READER]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_readers_are_led_to_nothing_that_is_for_teams(used: Site, language: str) -> None:
    """No page for everybody leads a reader to handing in or entering a bot; others see the ways."""
    pages = (
        "/",
        "/games",
        f"/games/{GAME}",
        "/bots",
        "/tournaments",
        "/play",
        "/experiments",
        "/guide/teacher",
    )

    def led(who: str | None) -> set[tuple[str, str]]:
        headers = sign_in(used, who) | {"Accept-Language": language}
        texts = {page: used.client.get(page, headers=headers).text for page in pages}
        ways = ('href="/my/bots/new"', '<p><a href="/my">', 'href="/experiments/new"')
        return {(page, way) for page, text in texts.items() for way in ways if way in text}

    for some_tournament_is_open in (False, True):
        if some_tournament_is_open:
            with used.world.database.transaction() as session:
                plan = TournamentPlan(name="autumn", game=GAME, params=PARAMS, format="round_robin")
                cup = lifecycle.create(session, used.world.staff, plan)
                lifecycle.open_(session, used.world.staff, cup)
        assert led(WHO[READER]) == set()
        assert {page for page, _ in led(None)} == {"/", f"/games/{GAME}"}
        assert ("/", '<p><a href="/my">') in led("blue") or not some_tournament_is_open


def test_a_running_tournament_is_shown_with_a_game(site: Site) -> None:
    """A game that is played has its board and the stream of its moves; between games it is the last one."""
    start_cup(site, openings=1, opening_plies=2)
    assert "first-steps" not in _home(site)
    world = site.world
    with world.database.transaction() as session:
        first, second, *others = issue_matches(session, world.settings)
    world.heartbeat(first)
    page = _home(site)
    assert '<meta name="live" content="/api/v1/tournaments/cup/events?moves=true"' in page
    assert 'data-now="cup/1" data-positions="/api/v1/games/reversed_reversi/positions"' in page
    assert 'aria-label="Board after ply 2:' in page
    world.record(first, play(first.spec))
    page = _home(site)
    assert 'id="played-cup-1"' in page
    assert "data-now" not in page
    assert 'id="game-cup-1"' in page
    assert len(re.findall(r'id="line-cup-\d"', page)) == 2
    world.heartbeat(second)
    assert 'data-now="cup/2"' in _home(site)
    for message in (*others, second):
        world.record(message, play(message.spec))
    coordinator_of(world).tick()
    page = _home(site)
    assert ('id="on-cup"' in page, 'id="finished-cup"' in page) == (False, True)
    assert '<meta name="live" content="/api/v1/events"' in page
    assert "<strong>1.</strong>" in page
    assert re.findall(r'id="game-cup-(\d)"', page)[0] == "2"
    assert len(re.findall(r'id="game-cup-\d"', page)) == len(others) + 2


def test_the_last_game_is_one_that_was_played(site: Site) -> None:
    """Who leaves loses all games to come at once; the game on the board and the last ones were played."""
    start_cup(site, format="round_robin", options={"cycles": 4})
    world = site.world
    with world.database.transaction() as session:
        first, *_ = issue_matches(session, world.settings)
    world.record(first, play(first.spec))
    with world.database.transaction() as session:
        bot = versions.get(session, "red")
        amendments.withdraw(session, world.staff, world.get(session), bot, "ill")
    page = _home(site)
    assert 'id="played-cup-1"' in page
    assert re.findall(r'id="game-cup-(\d)"', page) == ["1"]


def test_of_several_the_one_is_followed_in_which_a_game_is_played(site: Site) -> None:
    """The newest stands first; where it has no game at the moment the page follows another one, or all."""
    start_cup(site)
    start_cup(site, "bowl")
    assert '<meta name="live" content="/api/v1/events"' in _home(site)
    world = site.world
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    world.heartbeat(min(messages, key=lambda each: int(each.spec.match)))
    page = _home(site)
    assert '<meta name="live" content="/api/v1/tournaments/cup/events?moves=true"' in page
    assert 'data-now="cup/1"' in page
    assert re.findall(r'id="on-(\w+)"', page) == ["bowl", "cup"]


def test_what_comes_next_is_counted_down_to(site: Site) -> None:
    """An open tournament is there with its moments, the soonest first; a draft only when it has some."""
    soon, later = (utc_now() + dt.timedelta(hours=hours) for hours in (1, 5))
    for name, at in (("late", later), ("early", soon), ("draft", None)):
        site.post("/tournaments", "staff", json={"name": name, "game": "heap_nim"})
        if at is not None:
            moments = {"start": at.isoformat()}
            assert site.client.put(
                f"/api/v1/tournaments/{name}/timetable", json=moments, headers=site.headers("staff")
            ).is_success
    site.post("/tournaments/late/open", "staff")
    page = _home(site)
    assert re.findall(r'id="coming-(\w+)"', page) == ["early", "late"]
    assert page.count("data-countdown") == 2
    assert page.count('href="/my"') == 1


def test_the_list_has_its_own_address(site: Site) -> None:
    """Addresses of parts of the list that was on the home page lead to it, and the header does."""
    start_cup(site)
    answer = read(site, "/?offset=0&limit=5")
    assert (answer.status_code, answer.headers["location"]) == (308, "/tournaments?offset=0&limit=5")
    assert 'href="/tournaments/cup">cup</a>' in read(site, "/tournaments?offset=0&limit=5").text
    assert '<a href="/tournaments">Tournaments</a>' in _home(site)


def test_a_frozen_tournament_stands_as_it_was(site: Site) -> None:
    """It is on until the reveal with the lines of its freeze; hidden games are nowhere and do not count."""
    start_cup(site)
    settle(site)
    world = site.world
    with world.database.transaction() as session:
        first, second = issue_matches(session, world.settings)
    world.record(first, play(first.spec))
    assert _top(site) == {"counted": (1, 1)}
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
    frozen = _home(site)
    assert "data-now" not in frozen
    assert 'id="game-cup-1"' not in frozen
    assert "❄" in frozen
    assert len(re.findall(r'id="line-cup-\d"', frozen)) == 2
    world.heartbeat(second)
    assert _home(site) == frozen
    world.record(second, play(second.spec))
    assert _home(site) == frozen == _home(site)
    assert _top(site) == {"counted": (1, 1)}
    assert site.get(f"{RATINGS}?params={SMALL}", "staff").json()["games"] == 1
    site.post("/tournaments/cup/reveal", "staff")
    assert re.findall(r'id="game-cup-(\d)"', _home(site)) == ["2", "1"]
    assert _top(site) == {"counted": (1, 2)}


def test_one_rating_counts_all_tournaments_of_a_game(site: Site) -> None:
    """Games of two tournaments add up; of other parameters, another game or a cancelled one none count."""
    more = {"size": 4, "reversed": False}
    plans: dict[str, dict[str, Any]] = {"cup": {}, "bowl": {}, "vase": {"params": more}, "rest": CIRCLES}
    for name, plan in plans.items():
        start_cup(site, name, **plan)
        play_cup(site)
    start_cup(site, "off", openings=1)
    with site.world.database.transaction() as session:
        message, *_ = issue_matches(session, site.world.settings)
    site.world.record(message, play(message.spec))
    with site.world.database.transaction() as session:
        lifecycle.cancel(session, site.world.staff, lifecycle.get(session, "off"))
    told = site.get(f"{RATINGS}?params={SMALL}").json()
    assert (told["tournaments"], told["games"], told["bots"]) == (2, 4, 2)
    assert {line["games"] for line in told["items"]} == {4}
    assert sum(line["rating"] for line in told["items"]) == pytest.approx(0, abs=0.01)
    other = site.get(f"{RATINGS}?params={quote(json.dumps(more))}&limit=1").json()
    assert (other["games"], len(other["items"])) == (2, 1)
    assert site.get(RATINGS).json()["items"] == []
    for path, status in (("/games/none/ratings", 404), (f"{RATINGS}?params=5", 422)):
        assert site.get(path).status_code == status
    page = site.client.get("/ratings").text
    assert re.findall(r"ladders: (\d) · games: (\d) · bots: (\d)", page) == [
        ("2", "4", "2"),
        *[("1", "2", "2")] * 2,
    ]
    assert ">Reversi 4" in page
    assert 'href="/games/circle_nim"' in page


def test_it_is_kept_and_worked_out_with_few_questions(site: Site) -> None:
    """What nothing has changed is told without a question; a result costs as many, whatever was played."""
    start_cup(site, openings=3)
    world = site.world
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    counts = []
    for message in messages[:4]:
        world.record(message, play(message.spec))
        with asked("SELECT") as found:
            page = site.client.get("/").text
        counts.append(len(found))
        with asked("SELECT") as found:
            assert site.client.get("/").text == page
        assert found == []
    assert counts[-1] <= counts[1] <= MAX_STATEMENTS, counts
