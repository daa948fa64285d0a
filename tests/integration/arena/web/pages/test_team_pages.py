"""The team's own pages: its bots, what it could enter, and the games that it lost."""

from __future__ import annotations

import pytest

from arena.core.terms import VersionState
from arena.schemas.plans import TournamentPlan
from arena.store.models import BotVersion
from arena.submissions import versions
from arena.tournaments import lifecycle
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import EVIDENCE, Site, play_cup, start_cup
from tests.integration.arena.web.pages.browser import read, send
from tests.integration.arena.web.pages.test_pages import Outline
from tests.integration.arena.world import GAME, PARAMS


def _plan(site: Site, name: str, class_name: str | None = None, **plan: object) -> None:
    """A tournament that is open for entries."""
    world = site.world
    fields = {"game": GAME, "params": PARAMS, "format": "round_robin", "seed": 7, **plan}
    with world.database.transaction() as session:
        made = lifecycle.create(
            session, world.staff, TournamentPlan(name=name, class_name=class_name, **fields)
        )
        lifecycle.open_(session, world.staff, made)


def _spoil(site: Site, state: VersionState, games: list[str] | None = None) -> None:
    """Let the newest version of `red` be in a state, or be checked in other games."""
    with site.world.database.transaction() as session:
        version = versions.get_version(session, versions.get(session, "red"))
        version.state = state
        version.games = version.games if games is None else games


def test_entering_and_leaving_by_one_button_each(used: Site) -> None:
    """What is open is offered with the version that would play; it can be left, and entered again."""
    _plan(used, "friendly")
    red = sign_in(used, "ruby")["Cookie"]
    page = read(used, "/my", red)
    assert 'action="/my/entries"' in page.text
    wish = {"tournament": "friendly", "bot": "red"}
    assert send(used, "/my/entries", red, **wish, version="1").headers["location"] == "/my"
    assert used.get("/tournaments/friendly/entries").json()["items"][0]["bot"] == "red"
    entered = read(used, "/my", red)
    assert 'action="/my/entries"' not in entered.text
    assert "It takes part." in entered.text
    assert send(used, "/my/entries/leave", red, **wish).headers["location"] == "/my"
    assert used.get("/tournaments/friendly/entries").json()["items"] == []
    assert 'action="/my/entries"' in read(used, "/my", red).text


def test_what_cannot_be_entered_says_why(used: Site) -> None:
    """Each state of the newest version has its reason, on the page and for programs; nothing can be sent."""
    _plan(used, "friendly")
    red = sign_in(used, "red")["Cookie"]
    seen = {}
    for state in (VersionState.CHECKING, VersionState.FAILED, VersionState.UNCHECKED):
        _spoil(used, state)
        assert 'action="/my/entries"' not in read(used, "/my", red).text
        seen[state] = used.get("/me/openings", "red").json()["items"][0]["bots"][0]["obstacle"]
    assert seen == {each: each.value for each in seen}
    _spoil(used, VersionState.PASSED, ["heap_nim"])
    assert used.get("/me/openings", "red").json()["items"][0]["bots"][0]["obstacle"] == "other_game"
    assert "Have it checked in this one, too." in read(used, "/my", red).text
    refused = send(used, "/my/entries", red, tournament="friendly", bot="red")
    assert refused.status_code == 409
    assert "checked in heap_nim only" in refused.text


def test_an_older_version_is_offered_where_the_newest_may_not_play(used: Site) -> None:
    """Who hands in something broken can still enter what passed before; of several versions one is chosen."""
    _plan(used, "friendly")
    with used.world.database.transaction() as session:
        bot = versions.get(session, "red")
        used.world.version(session, bot)
        broken: BotVersion = used.world.version(session, bot)
        broken.state = VersionState.FAILED
    offer = used.get("/me/openings", "red").json()["items"][0]["bots"][0]
    assert (offer["version"], offer["obstacle"]) == (2, None)
    red = sign_in(used, "red")["Cookie"]
    chosen = {"tournament": "friendly", "bot": "red", "version": "1", "onward": "bot"}
    assert send(used, "/my/entries", red, **chosen).headers["location"] == "/my/bots/red"
    page = Outline(read(used, "/my/bots/red", red).text)
    options = {each["value"]: "selected" in each for each in page.all("option")}
    assert options == {"2": False, "1": True, "": False, "friendly": True}


def test_a_tournament_of_another_class_is_neither_shown_nor_entered(used: Site) -> None:
    """What is for a class is for the bots of that class, whichever way they come; who runs it enters any."""
    _plan(used, "ours", CLASS)
    names = {
        user: [each["tournament"] for each in used.get("/me/openings", user).json()["items"]]
        for user in ("red", "blue")
    }
    assert names == {"red": ["ours"], "blue": []}
    refused = used.post("/tournaments/ours/entries", "blue", json={"bot": "blue"})
    assert refused.status_code == 403
    assert "for a class" in refused.json()["detail"]
    assert used.post("/tournaments/ours/entries", "red", json={"bot": "red"}).status_code == 201
    assert used.post("/tournaments/ours/entries", "staff", json={"bot": "blue"}).status_code == 201


def test_lost_games_with_what_the_bot_wrote(used: Site) -> None:
    """Own games are found by how they ended; the log and the evidence are the team's alone."""
    start_cup(used)
    play_cup(used, forfeit=True)
    red, blue = (sign_in(used, name)["Cookie"] for name in ("red", "blue"))
    lost = used.get("/me/matches?outcome=forfeit", "red").json()
    assert [(each["seat"], each["outcome"], each["fault"]) for each in lost["items"]] == [
        (0, "forfeit", "malformed")
    ]
    number = lost["items"][0]["number"]
    assert used.get("/me/matches?outcome=won", "red").json()["total"] == 1
    assert used.get("/me/matches?outcome=drawn", "red").json()["total"] == 0
    assert used.get("/me/matches?outcome=lost&tournament=cup&bot=red", "red").json()["total"] == 1
    page = read(used, "/my/games?outcome=forfeit", red)
    assert f'href="/my/games/cup/{number}"' in page.text
    assert f'href="/tournaments/cup/matches/{number}"' in page.text
    assert EVIDENCE in read(used, f"/my/games/cup/{number}", red).text
    assert EVIDENCE not in read(used, f"/my/games/cup/{number}", blue).text
    assert EVIDENCE in read(used, f"/my/games/cup/{number}", sign_in(used, "staff")["Cookie"]).text


def test_the_form_of_a_bot_is_its_last_results(used: Site) -> None:
    """The last results of each bot, the last first, lead to their games."""
    start_cup(used)
    play_cup(used, forfeit=True)
    (bot,) = used.get("/me/bots", "red").json()["items"]
    assert sorted(each["outcome"] for each in bot["form"]) == ["forfeit", "won"]
    entry = {"tournament": "cup", "title": None, "state": "running", "version": 1, "left_as": None}
    assert bot["entries"] == [entry]
    page = read(used, "/my", sign_in(used, "red")["Cookie"])
    assert [each for each in ("/my/games/cup/1", "/my/games/cup/2") if each not in page.text] == []


@pytest.mark.parametrize("lang", ["en", "zh-Hant-TW"])
@pytest.mark.parametrize(
    "path",
    ["/my", "/my/games", "/my/games/cup/1", "/my/bots/new", "/my/bots/red", "/my/bots/red/versions/1"],
)
def test_the_pages_in_both_languages(used: Site, lang: str, path: str) -> None:
    """Every page of a team is well-formed, says its language, and is nobody else's to keep."""
    start_cup(used)
    play_cup(used, forfeit=True)
    _plan(used, "friendly")
    page = read(used, path, sign_in(used, "red")["Cookie"], **{"Accept-Language": lang})
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    outline = Outline(page.text)
    assert outline.all("html")[0]["lang"] == lang
    assert len(outline.all("h1")) == 1
    assert len(outline.all("table")) == len(outline.all("caption"))


@pytest.mark.parametrize("path", ["/my", "/my/games", "/my/bots/red"])
def test_more_bots_versions_and_games_ask_the_database_no_more(used: Site, path: str) -> None:
    """A page of a team with much on it asks as many questions as that of one with little."""
    red = sign_in(used, "red")["Cookie"]
    start_cup(used)
    play_cup(used)
    _plan(used, "friendly")
    engine = used.client.app.state.services.database.engine  # type: ignore[attr-defined]  # see create_app
    with asked("SELECT", engine=engine) as few:
        read(used, path, red)
    with used.world.database.transaction() as session:
        owner = versions.get(session, "red").owner
        for number in range(5):
            used.world.bot(session, f"red-{number}", owner, versions=4)
    for number in range(3):
        start_cup(used, f"more-{number}")
        play_cup(used)
        _plan(used, f"open-{number}")
    with asked("SELECT", engine=engine) as many:
        assert read(used, path, red).status_code == 200
    assert len(many) == len(few), many
