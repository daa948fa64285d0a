"""The staff's pages of tournaments: making one, entering bots, and what becomes of it."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pytest

from arena.core.clock import utc_now
from arena.core.terms import Act, MatchState, VersionState
from arena.people import classes
from arena.planning import local_time
from arena.submissions import versions
from arena.tournaments import timetables
from arena.web.pages.wizard_templates import TEMPLATES
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import CLASS, settle, sign_in
from tests.integration.arena.site import Site, park, play_cup, start_cup, user_named
from tests.integration.arena.web.pages.browser import read, send
from tests.integration.arena.web.pages.test_pages import Outline
from tests.integration.arena.world import GAME

TITLE = "春季決賽 <b>&\"'"
ESCAPED = "春季決賽 &lt;b&gt;&amp;&#34;&#39;"
PLAN = {
    "title": TITLE,
    "name": "spring",
    "class_name": CLASS,
    "game": GAME,
    "shown_game": GAME,
    "param-size": "4",
    "param-reversed": "on",
    "format": "double_round_robin",
    "shown_format": "double_round_robin",
    "move": "1.5",
    "extensions": "0",
    "openings": "0",
    "open": "on",
}
HEAPS = {"game": "heap_nim", "shown_game": "heap_nim"}


@pytest.fixture
def teacher(used: Site) -> str:
    """What the browser of an organiser shows."""
    return sign_in(used, "teacher")["Cookie"]


def _make(used: Site, teacher: str, **fields: str) -> str:
    answer = send(used, "/manage/new", teacher, **PLAN | fields)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def _own_class(used: Site) -> None:
    """`blue` is in the class, too, and with `red` its only other team."""
    with used.world.database.transaction() as session:
        user_named(used, "blue")
        blue = session.merge(user_named(used, "blue"))
        blue.class_id = classes.get(session, CLASS).id


def test_a_tournament_is_made_on_one_page(used: Site, teacher: str) -> None:
    """What is typed becomes the plan that the API shows, open for entries, and leads to its page."""
    assert _make(used, teacher) == "/manage/spring"
    made = used.get("/tournaments/spring").json()
    assert (made["title"], made["state"], made["format"]) == (TITLE, "open", "double_round_robin")
    assert made["game"]["params"] == {"size": 4, "reversed": True}
    assert (made["time"]["move_ms"], made["time"]["extensions"]) == (1500, 0)
    assert [each["name"] for each in used.get("/me/tournaments", "teacher").json()["items"]] == ["spring"]
    assert used.get("/me/tournaments", "elsewhere").json()["items"] == []


def test_a_title_stands_over_every_page_and_is_never_markup(used: Site, teacher: str) -> None:
    """Pages for everybody and for the staff show the title, escaped; text exports begin with it."""
    _make(used, teacher)
    public = ("", "/crosstable", "/ratings", "/balance", "/matches")
    for path in ("/tournaments", *(f"/tournaments/spring{rest}" for rest in public)):
        page = read(used, path).text
        assert ESCAPED in page, path
        assert TITLE not in page
    for path in ("/manage", "/manage/spring", "/manage/spring/matches"):
        page = read(used, path, teacher).text
        assert ESCAPED in page, path
        Outline(page)


@pytest.mark.parametrize(
    ("fields", "status", "told"),
    [
        ({"move": "soon"}, 422, "Write a number of seconds."),
        ({"move": "1e9999999"}, 422, "Write a number of seconds."),
        ({"move": "0"}, 422, "at least 0.001"),
        ({"openings": "1000"}, 422, "at most 100"),
        ({"openings": "many"}, 422, "Write a whole number."),
        ({"param-size": "x"}, 422, "Write a whole number."),
        ({"param-size": "5"}, 422, "size must be one of 4, 6, 8, 10, not 5"),
        ({"param-rows": "9"}, 422, "both size and rows must be from 3 to 8"),
        ({"name": "Spring Final"}, 422, "lower-case letters"),
        ({"name": "new"}, 422, "lower-case letters"),
        ({"name": "taken"}, 409, "This name is taken"),
        ({"title": "a\u202eb"}, 422, "one line without control characters"),
        ({"title": "x" * 101}, 422, "100"),
        ({"standings_order": "points, beauty"}, 422, "beauty"),
        ({"format": "gauntlet", "shown_format": "gauntlet"}, 422, "heroes"),
        ({"class_name": "9z"}, 404, "9z"),
        ({"limit-memory_mb": "1"}, 422, "at least 16"),
    ],
)
def test_what_makes_no_tournament(
    used: Site, teacher: str, fields: dict[str, str], status: int, told: str
) -> None:
    """What is wrong is said beside the form, which keeps what was typed; nothing is made."""
    _make(used, teacher, name="taken")
    answer = send(used, "/manage/new", teacher, **PLAN | {"title": "Kept"} | fields)
    assert answer.status_code == status
    assert told in answer.text
    assert 'role="alert"' in answer.text
    assert fields.get("title", "Kept") in answer.text
    Outline(answer.text)
    assert used.get("/tournaments").json()["total"] == 1


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"move": "180", "extensions": "3"}, "延時後每步秒數: 至少 180"),
        ({"openings": "3", "opening_plies": "0"}, "開局手數: 至少 1"),
        ({"increment": "1", "bank": ""}, "整局備用時間[^:]*: 每步要增加備用秒數時必須填寫"),
        ({"limit-memory_mb": "999999"}, "記憶體[^:]*: 最多 4096"),
        (
            {"option-cycles": "21", "format": "groups", "shown_format": "groups"},
            "每兩方對戰的循環數: 最多 20",
        ),
        ({"option-cycles": "0", "format": "groups", "shown_format": "groups"}, "每兩方對戰的循環數: 至少 1"),
        ({"seed": str(10**17)}, "亂數種子: 須小於 9007199254740992"),
        ({"format": "gauntlet", "shown_format": "gauntlet"}, "主將: 請填寫"),
        ({"param-size": "5"}, "棋盤大小須為 4, 6, 8, 10 之一"),
        ({"param-size": "11"}, "棋盤大小: 最多 10"),
        ({"param-rows": "9"}, "指定層數時"),
        (HEAPS | {"param-heaps": "3,4,0"}, "各堆數目須為 1 至 500 的整數"),
        (HEAPS | {"param-heaps": "3"}, "須有 3 至 10 堆"),
        ({"openings": "40", "opening_plies": "1", "format": "round_robin"}, "請減少開局"),
    ],
)
def test_what_is_wrong_is_told_in_the_words_of_the_form(
    used: Site, teacher: str, fields: dict[str, str], told: str
) -> None:
    """A Chinese page names the field as the form does, with its own unit, and has no English sentence."""
    answer = send(used, "/manage/new?lang=zh-Hant-TW", teacher, **PLAN | fields)
    assert answer.status_code == 422
    (alert,) = re.findall(r'<div class="notice" role="alert">(.*?)</div>', answer.text, re.DOTALL)
    assert re.search(told, alert)
    assert 'lang="en"' not in alert


def test_a_class_of_others_is_refused(used: Site) -> None:
    """An organiser makes no tournament for a class that is not theirs."""
    answer = send(used, "/manage/new", sign_in(used, "elsewhere")["Cookie"], **PLAN)
    assert answer.status_code == 403
    assert used.get("/tournaments").json()["total"] == 0


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_makes_a_tournament(used: Site, teacher: str, template: str) -> None:
    """The form that a template fills in shows a forecast and can be sent as it stands."""
    page = read(used, f"/manage/new?template={template}&title=Cup", teacher).text
    outline = Outline(page)
    assert 'id="forecast"' in page
    assert "Based on" in page
    typed = {
        str(each["name"]): str(each.get("value") or ("on" if "checked" in each else ""))
        for each in outline.all("input")
        if each.get("type") != "checkbox" or "checked" in each
    }
    for name, values in re.findall(r'<select name="([\w-]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', values)
        if chosen:
            typed[name] = chosen[1]
    answer = send(used, "/manage/new", teacher, **typed | {"param-size": "4"})
    assert answer.status_code == 303, answer.text
    made = used.get("/tournaments").json()["items"][0]
    assert made["name"] == "cup"
    assert made["format"] == TEMPLATES[template].values["format"]


@pytest.mark.parametrize("title", ["", "決賽"])
def test_a_name_is_made_where_none_is_typed(used: Site, teacher: str, title: str) -> None:
    """A tournament without a name gets one of the game and the day, and each another one."""
    made = [_make(used, teacher, name="", title=title) for _ in range(2)]
    assert re.fullmatch(r"/manage/reversed-reversi-20[0-9-]{8}", made[0])
    assert made[1] == made[0] + "-2"


def test_fields_follow_the_game_and_the_format(used: Site, teacher: str) -> None:
    """The form has the parameters of the game and the options of the format that are chosen, as is usual."""
    query = "game=heap_nim&shown_game=reversed_reversi&format=groups&shown_format=ladder&bots=8"
    page = read(used, f"/manage/new?{query}", teacher).text
    assert 'name="param-heaps" value="3, 4, 5"' in page
    assert "param-size" not in page
    assert 'name="option-groups" value="2"' in page
    assert 'name="param-size" value="8" min="3" max="10"' in read(used, "/manage/new", teacher).text
    sent = PLAN | {"game": "heap_nim", "shown_game": "heap_nim", "param-heaps": "1\uff0c2, 3", "name": "nim"}
    assert send(used, "/manage/new", teacher, **sent).status_code == 303
    assert used.get("/tournaments/nim").json()["game"]["params"] == {"heaps": [1, 2, 3], "misere": False}


def test_the_overview_says_that_the_timetable_was_not_kept(used: Site, teacher: str) -> None:
    """A start that failed is told where the tournament is run, with a way to why, which is English."""
    _make(used, teacher)
    told = "See what, and why"
    assert told not in read(used, "/manage/spring", teacher).text
    with used.world.database.transaction() as session:
        spring = used.world.get(session, "spring")
        at = utc_now() + dt.timedelta(hours=1)
        timetables.change(session, used.world.staff, spring, {Act.START: at}, own=False)
        timetables.fail(session, spring.id, Act.START, "it has too few entries")
    assert f'<a href="/manage/spring/timetable">{told}</a>' in read(used, "/manage/spring", teacher).text
    page = read(used, "/manage/spring/timetable?lang=zh-Hant-TW", teacher).text
    assert "無法進行" in page
    assert '<span lang="en">it has too few entries</span>' in page
    send(used, "/manage/spring/cancel", teacher)
    assert told not in read(used, "/manage/spring", teacher).text


def test_a_timetable_tells_every_offset_of_its_zone(
    used: Site, teacher: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moment in another season is not taken for one by today's clock."""
    _make(used, teacher)
    monkeypatch.setattr(local_time, "zone_of", lambda _: ZoneInfo("Europe/Berlin"))
    page = read(used, "/manage/spring/timetable", teacher).text
    assert "Times are those of the arena: Europe/Berlin (UTC+01:00, UTC+02:00)." in page


def test_a_class_is_entered_by_one_click(used: Site, teacher: str) -> None:
    """All bots of the class that may play are entered; who lacks something stays listed, and why."""
    _own_class(used)
    _make(used, teacher)
    with used.world.database.transaction() as session:
        used.world.bot(session, "slow", session.merge(user_named(used, "blue")))
        versions.get(session, "slow").versions[0].state = VersionState.CHECKING
    page = read(used, "/manage/spring", teacher).text
    assert "Enter all 2 bots that may play" in page
    answer = send(used, "/manage/spring/entries/class", teacher)
    assert answer.headers["location"] == "/manage/spring?entered=2#entering"
    page = read(used, "/manage/spring?entered=2", teacher).text
    assert "2 bots were entered" in page
    assert "Being checked" in page
    Outline(page)
    names = [each["bot"] for each in used.get("/tournaments/spring/entries").json()["items"]]
    assert names == ["blue", "red"]
    again = used.post("/tournaments/spring/entries/class", "teacher", json={}).json()
    assert again["entered"] == []
    assert [(each["bot"], "still being checked" in each["why"]) for each in again["left_out"]] == [
        ("slow", True)
    ]


def test_entering_a_class_needs_one(used: Site, teacher: str) -> None:
    """A tournament that is for no class takes that of one that is named, and only one's own."""
    assert _make(used, teacher, class_name="") == "/manage/spring"
    assert used.post("/tournaments/spring/entries/class", "teacher", json={}).status_code == 409
    assert send(used, "/manage/spring/entries/class", teacher).status_code == 409
    page = read(used, f"/manage/spring?class_name={CLASS}", teacher).text
    assert 'aria-label="Enter red"' in page
    answer = send(used, "/manage/spring/entries/class", teacher, class_name=CLASS)
    assert answer.headers["location"].startswith("/manage/spring?entered=1&class_name=")
    with used.world.database.transaction() as session:
        classes.create(session, used.world.staff, "8b")
    body = {"class_name": "8b"}
    assert used.post("/tournaments/spring/entries/class", "teacher", json=body).status_code == 403
    assert send(used, "/manage/spring/entries/class", teacher, **body).status_code == 403


def test_reference_bots_are_entered_by_name(used: Site, teacher: str) -> None:
    """An organiser enters bots of the staff, and no other team's, into a tournament of theirs."""
    _make(used, teacher)
    with used.world.database.transaction() as session:
        used.world.bot(session, "random")
    assert '<option value="random">' in read(used, "/manage/spring", teacher).text
    assert send(used, "/manage/spring/entries", teacher, bot=" random ").status_code == 303
    for bot, status in (("blue", 403), ("nobody", 404), ("", 404)):
        answer = send(used, "/manage/spring/entries", teacher, bot=bot)
        assert answer.status_code == status
        assert "This was not done" in answer.text
    assert used.post("/tournaments/spring/entries", "red", json={"bot": "random"}).status_code == 403


def test_from_a_draft_to_the_end_by_buttons(used: Site, teacher: str) -> None:
    """Each state offers what follows, and nothing that does not; a button of before says why it fails."""
    _own_class(used)
    fields = {name: value for name, value in PLAN.items() if name != "open"}
    assert send(used, "/manage/new", teacher, **fields).status_code == 303
    offered = {"draft": "open", "open": "start", "running": "pause", "paused": "resume"}
    acts = ("open", "start", "pause", "resume", "pause", "cancel")
    for act in acts:
        page = read(used, "/manage/spring", teacher).text
        Outline(page)
        state = used.get("/tournaments/spring").json()["state"]
        shown = set(re.findall(r'action="/manage/spring/(\w+)"', page))
        assert shown - {"entries", "announcements", "analyses", "title"} == {offered[state], "cancel"}
        if act == "start":
            answer = send(used, "/manage/spring/start", teacher)
            assert answer.status_code == 409
            assert "enter more bots" in answer.text
            send(used, "/manage/spring/entries/class", teacher)
        assert send(used, f"/manage/spring/{act}", teacher).status_code == 303, act
    assert used.get("/tournaments/spring").json()["state"] == "cancelled"
    page = read(used, "/manage/spring", teacher).text
    assert re.findall(r'action="/manage/spring/(\w+)"', page) == ["title", "analyses", "announcements"]
    assert send(used, "/manage/spring/pause", teacher).status_code == 409


def test_a_ladder_is_ended(used: Site, teacher: str) -> None:
    """Only a ladder that runs is ended by a button, which says what that means."""
    _own_class(used)
    _make(used, teacher, format="ladder", shown_format="ladder")
    send(used, "/manage/spring/entries/class", teacher)
    send(used, "/manage/spring/start", teacher)
    assert 'action="/manage/spring/end"' in read(used, "/manage/spring", teacher).text
    assert send(used, "/manage/spring/end", teacher).status_code == 303


def test_who_leaves_and_who_is_expelled(site: Site) -> None:
    """Withdrawing and disqualifying take a reason; what was refused is shown again as it was typed."""
    start_cup(site)
    settle(site)
    teacher = sign_in(site, "teacher")["Cookie"]
    for act in ("withdraw", "disqualify"):
        answer = send(site, f"/manage/cup/entries/red/{act}", teacher, reason="")
        assert answer.status_code == 422
        assert re.search(rf'<details class="act" open>\s*<summary>{act.capitalize()}', answer.text)
    answer = send(site, "/manage/cup/entries/red/disqualify", teacher, reason="a\tb", annul="true")
    assert 'value="a\tb"' in answer.text
    assert 'name="annul" value="true" checked' in answer.text
    assert send(site, "/manage/cup/entries/red/withdraw", teacher, reason="ill").status_code == 303
    fields = {"reason": "cheated", "annul": "true"}
    assert send(site, "/manage/cup/entries/red/disqualify", teacher, **fields).status_code == 303
    red = site.get("/tournaments/cup/entries").json()["items"][0]
    assert (red["left_as"], red["annulled"]) == ("disqualified", True)
    page = read(site, "/manage/cup", teacher).text
    assert "no game counts" in page
    assert "/entries/red/" not in page


@pytest.fixture
def played(site: Site) -> Site:
    """A tournament of the class that was played."""
    start_cup(site)
    play_cup(site)
    settle(site)
    return site


def test_matches_are_played_again_and_decided(played: Site) -> None:
    """A finished match is decided and played again with a reason, and so is a round."""
    teacher = sign_in(played, "teacher")["Cookie"]
    page = read(played, "/manage/cup/matches?state=finished&bot=red", teacher).text
    assert page.count('href="/manage/cup/matches/') == 2
    match = "/manage/cup/matches/1"
    assert send(played, f"{match}/result", teacher, winner="draw").status_code == 422
    answer = send(played, f"{match}/result", teacher, winner="draw", reason="agreed")
    assert answer.headers["location"] == match
    page = read(played, match, teacher).text
    assert "Draw" in page
    assert "agreed" in page
    Outline(page)
    assert send(played, f"{match}/rerun", teacher, reason="power cut").status_code == 303
    assert played.world.match(1).state == MatchState.PENDING
    answer = send(played, f"{match}/rerun", teacher, reason="again")
    assert answer.status_code == 409
    assert "only a finished one" in answer.text
    answer = send(played, "/manage/cup/rounds/rerun", teacher, number="9", reason="why")
    assert answer.status_code == 404
    assert 'value="why"' in answer.text
    assert send(played, "/manage/cup/rounds/rerun", teacher, number="2", reason="why").status_code == 303
    assert played.world.match(2).state == MatchState.PENDING


@pytest.mark.parametrize(("act", "state"), [("retry", MatchState.PENDING), ("drop", MatchState.CANCELLED)])
def test_parked_matches(site: Site, act: str, state: MatchState) -> None:
    """A parked match is found from the list of tournaments, says why, and is retried or called off."""
    start_cup(site)
    park(site)
    settle(site)
    teacher = sign_in(site, "teacher")["Cookie"]
    assert "1 parked game" in read(site, "/manage", teacher).text
    assert "/manage/cup/matches?state=parked" in read(site, "/manage/cup", teacher).text
    assert "no worker could play it" in read(site, "/manage/cup/matches/1", teacher).text
    assert send(site, f"/manage/cup/matches/1/{act}", teacher, reason="no host").status_code == 303
    assert site.world.match(1).state == state
    assert send(site, f"/manage/cup/matches/1/{act}", teacher, reason="no host").status_code == 409


def test_the_list_asks_as_much_for_many_as_for_one(used: Site, teacher: str) -> None:
    """The tournaments that one runs, and the bots that could be entered, take a fixed number of questions."""

    def count(path: str) -> int:
        with asked("SELECT", engine=used.world.database.engine) as found:
            assert read(used, path, teacher).status_code == 200
        return len(found)

    _make(used, teacher)
    before = count("/manage"), count("/manage/spring")
    with used.world.database.transaction() as session:
        for number in range(5):
            used.world.bot(session, f"red-{number}", session.merge(user_named(used, "red")))
    for number in range(3):
        _make(used, teacher, name=f"spring-{number}")
    assert (count("/manage"), count("/manage/spring")) == before


def test_only_the_staff_sees_the_way(used: Site) -> None:
    """Only the staff's header leads to these pages."""
    for name, shown in (("teacher", True), ("staff", True), ("red", False), ("looker", False), (None, False)):
        cookie = sign_in(used, name).get("Cookie", "")
        assert ('href="/manage"' in read(used, "/", cookie).text) == shown, name


def test_a_title_is_changed_at_any_time(used: Site, teacher: str) -> None:
    """Another title, in any language, or none; what cannot be one is refused; the story tells of it."""
    start_cup(used, class_name=CLASS)
    assert send(used, "/manage/cup/title", teacher, title=" 秋季盃 ").status_code == 303
    assert used.get("/tournaments/cup").json()["title"] == "秋季盃"
    assert "秋季盃" in read(used, "/manage/cup/story", teacher).text
    refused = send(used, "/manage/cup/title", teacher, title="a\u202eb")
    assert refused.status_code == 422
    assert "write a title in one line" in refused.text
    assert send(used, "/manage/cup/title", teacher, title="").status_code == 303
    assert used.get("/tournaments/cup").json()["title"] is None


def test_reference_bots_come_with_the_form(used: Site, teacher: str) -> None:
    """Those that are ticked are handed in and wait for their check; one is taken back."""
    assert _make(used, teacher, **{"reference-random": "on", "reference-greedy": "on"}) == "/manage/spring"
    page = read(used, "/manage/spring", teacher).text
    Outline(page)
    assert page.count("/pending-entries/") == 2
    assert send(used, "/manage/spring/pending-entries/greedy/withdraw", teacher).status_code == 303
    waiting = used.get("/tournaments/spring/pending-entries", "teacher").json()["items"]
    assert [(each["bot"], each["state"]) for each in waiting] == [("random", "checking")]
