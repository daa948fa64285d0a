"""The staff's pages of tournaments: entering bots, and what becomes of it."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pytest

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.terms import Act, MatchState, VersionState
from arena.people import classes
from arena.planning import local_time
from arena.submissions import versions
from arena.tournaments import lifecycle, timetables
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import CLASS, settle, sign_in
from tests.integration.arena.site import Site, park, play_cup, start_cup, user_named
from tests.integration.arena.web.pages.browser import read, send
from tests.integration.arena.web.pages.making import PLAN, make
from tests.integration.arena.web.pages.test_pages import Outline


def _own_class(used: Site) -> None:
    """`blue` is in the class, too, and with `red` its only other team."""
    with used.world.database.transaction() as session:
        user_named(used, "blue")
        blue = session.merge(user_named(used, "blue"))
        blue.class_id = classes.get(session, CLASS).id


def test_the_overview_says_that_the_timetable_was_not_kept(used: Site, teacher: str) -> None:
    """A start that failed is told where the tournament is run, with a way to why, which is English."""
    make(used, teacher)
    told = "See what, and why"
    assert told not in read(used, "/manage/spring", teacher).text
    with used.world.database.transaction() as session:
        spring = used.world.get(session, "spring")
        at = utc_now() + dt.timedelta(hours=1)
        timetables.change(session, used.world.staff, spring, {Act.START: at}, own=False)
        timetables.fail(session, spring.id, Act.START, ConflictError("it has too few entries"))
    assert f'<a href="/manage/spring/timetable">{told}</a>' in read(used, "/manage/spring", teacher).text
    page = read(used, "/manage/spring/timetable?lang=zh-Hant-TW", teacher).text
    assert "無法進行" in page
    assert '<span lang="en">it has too few entries</span>' in page
    send(used, "/manage/spring/cancel", teacher)
    assert told not in read(used, "/manage/spring", teacher).text


def test_why_the_timetable_was_not_kept_is_in_the_reader_s_language(used: Site, teacher: str) -> None:
    """Timetable, story and its CSV say in Chinese what the API goes on saying in English."""
    make(used, teacher)
    with used.world.database.transaction() as session:
        spring = used.world.get(session, "spring")
        at = utc_now() + dt.timedelta(hours=1)
        timetables.change(session, used.world.staff, spring, {Act.START: at}, own=False)
        with pytest.raises(ConflictError) as refused:
            lifecycle.pause(session, used.world.staff, spring)
        timetables.fail(session, spring.id, Act.START, refused.value)
    english = "cannot be set to paused"
    told = used.get("/tournaments/spring/story", "staff").json()["items"][0]
    assert english in told["text"]
    for page in ("timetable", "story", "story.csv"):
        text = read(used, f"/manage/spring/{page}?lang=zh-Hant-TW", teacher).text
        assert english not in text, page
        assert "不能改為暫停" in text, page
        assert english in read(used, f"/manage/spring/{page}?lang=en", teacher).text, page


def test_a_timetable_tells_every_offset_of_its_zone(
    used: Site, teacher: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moment in another season is not taken for one by today's clock."""
    make(used, teacher)
    monkeypatch.setattr(local_time, "zone_of", lambda _: ZoneInfo("Europe/Berlin"))
    page = read(used, "/manage/spring/timetable", teacher).text
    assert "Times are those of the arena: Europe/Berlin (UTC+01:00, UTC+02:00)." in page


def test_what_no_clock_shows_is_no_moment(used: Site, teacher: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the hour over which clocks are put forward nothing is planned, least of all in another order."""
    make(used, teacher)
    monkeypatch.setattr(local_time, "zone_of", lambda _: ZoneInfo("Europe/Berlin"))
    sent = {"close": "2100-03-28T02:30", "start": "2100-03-28T03:15"}
    answer = send(used, "/manage/spring/timetable", teacher, **sent)
    assert answer.status_code == 422
    assert "no clock shows 2100-03-28 02:30 here" in answer.text
    assert used.get("/tournaments/spring/timetable").json()["moments"] == []
    answer = send(used, "/manage/spring/timetable", teacher, **sent | {"close": "2100-03-28T01:59"})
    assert answer.status_code == 303
    told = [each["at"] for each in used.get("/tournaments/spring/timetable").json()["moments"]]
    assert told == ["2100-03-28T00:59:00Z", "2100-03-28T01:15:00Z"]


def test_a_class_is_entered_by_one_click(used: Site, teacher: str) -> None:
    """All bots of the class that may play are entered; who lacks something stays listed, and why."""
    _own_class(used)
    make(used, teacher)
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
    assert make(used, teacher, class_name="") == "/manage/spring"
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
    make(used, teacher)
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
    make(used, teacher, format="ladder", shown_format="ladder")
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

    make(used, teacher)
    before = count("/manage"), count("/manage/spring")
    with used.world.database.transaction() as session:
        for number in range(5):
            used.world.bot(session, f"red-{number}", session.merge(user_named(used, "red")))
    for number in range(3):
        make(used, teacher, name=f"spring-{number}")
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
