"""Questions on the pages: asking, answering to the team and to all, and what everybody is shown."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import event

from arena.tournaments import freezing, lifecycle
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, play_cup, start_cup
from tests.integration.arena.web.pages.browser import read, send

HOSTILE = "<img src=x onerror=alert(1)>\n\u202e\"'</textarea>"
SHOWN = "&lt;img src=x onerror=alert(1)&gt;"


@pytest.fixture
def cup(site: Site) -> Site:
    """A cup of `red` and `blue` that `teacher` runs, and somebody of every role."""
    start_cup(site)
    settle(site)
    return site


def _ask(site: Site, text: str = "When is round 3?", who: str = "ruby", **about: str) -> int:
    answer = send(site, "/my/questions", sign_in(site, who)["Cookie"], text=text, **about)
    assert answer.status_code == 303, answer.text
    return int(answer.headers["location"].removeprefix("/my/questions#question-"))


def _answer(site: Site, number: int, who: str = "teacher", **fields: str) -> int:
    fields = {"text": "At two.", **fields}
    status: int = send(
        site, f"/questions/{number}/answer", sign_in(site, who)["Cookie"], **fields
    ).status_code
    return status


def test_from_a_question_to_an_answer_to_all(cup: Site) -> None:
    """The staff sees it with a count; the team its answer; the public nothing before it is for all."""
    number = _ask(cup, tournament="cup")
    teacher = sign_in(cup, "teacher")["Cookie"]
    assert "1 open question" in read(cup, "/manage", teacher).text
    assert re.search(r'Questions <span class="count">1<', read(cup, "/manage/cup", teacher).text)
    desk = read(cup, "/manage/cup/questions", teacher).text
    assert "When is round 3?" in desk
    assert "red (ruby)" in desk
    assert _answer(cup, number, back="/manage/cup/questions") == 303
    assert "At two." in read(cup, "/my/questions", sign_in(cup, "red")["Cookie"]).text
    public = ("/tournaments/cup", "/tournaments/cup/announcements")
    for path in public:
        assert "When is round 3?" not in read(cup, path).text
    assert _answer(cup, number, text="At three.", to="all") == 303
    for path in public:
        page = read(cup, path).text
        assert "When is round 3?" in page
        assert "At three." in page
        assert "At two." not in page
        assert "A team asked:" in page
        assert "red asked" not in page
    assert "1 open question" not in read(cup, "/manage", teacher).text
    blue = read(cup, "/my/news", sign_in(cup, "blue")["Cookie"]).text
    assert "cup: a question was answered to all" in blue


def test_the_asker_is_named_only_where_that_is_chosen(cup: Site) -> None:
    """With the box ticked all read which team it was, and about which of its games."""
    number = _ask(cup, tournament="cup", match="1")
    _answer(cup, number, to="all")
    told = cup.get("/tournaments/cup/answers").json()["items"][0]
    assert (told["team"], told["asked_by"], told["match"]) == (None, None, None)
    _answer(cup, number, to="all", names_asker="true")
    told = cup.get("/tournaments/cup/answers").json()["items"][0]
    assert (told["team"], told["asked_by"], told["match"]) == ("red", None, 1)
    assert [each["by"] for each in told["answers"]] == [None]
    assert "red asked:" in read(cup, "/tournaments/cup").text


def test_what_is_refused_is_shown_as_it_was_typed(cup: Site) -> None:
    """Nothing that somebody wrote is lost when it cannot be taken, for the team and for the staff."""
    ruby, teacher = (sign_in(cup, who)["Cookie"] for who in ("ruby", "teacher"))
    for fields in ({"match": "99"}, {"match": "x"}, {"tournament": ""}):
        wish = {"tournament": "cup", "match": "1", "text": "my words", **fields}
        refused = send(cup, "/my/questions", ruby, **wish)
        assert refused.status_code in {404, 409, 422}, fields
        assert "my words</textarea>" in refused.text
    number = _ask(cup, tournament="cup")
    long = "y" * 2001
    refused = send(cup, f"/questions/{number}/answer", teacher, text=long, to="all", names_asker="true")
    assert refused.status_code == 422
    assert f"{long}</textarea>" in refused.text
    assert 'value="all" checked' in refused.text
    assert send(cup, "/questions/99/answer", teacher, text="x").status_code == 404


def test_an_answer_is_refused_in_the_readers_language(cup: Site) -> None:
    """The Chinese page says in Chinese why an answer was not taken."""
    number = _ask(cup)
    path = f"/questions/{number}/answer?lang=zh-Hant-TW"
    refused = send(cup, path, sign_in(cup, "teacher")["Cookie"], text="At two.", corrects="99")
    assert refused.status_code == 404
    assert "沒有第 99 號答覆" in refused.text


def test_a_form_knows_what_it_is_about(cup: Site) -> None:
    """From a game's page one asks about that game; the form offers what concerns the team."""
    play_cup(cup)
    ruby = sign_in(cup, "ruby")["Cookie"]
    (address,) = re.findall(r'href="(/my/questions\?[^"]+)"', read(cup, "/my/games/cup/1", ruby).text)
    page = read(cup, address.replace("&amp;", "&"), ruby).text
    assert '<option value="cup" selected>' in page
    assert 'name="match" inputmode="numeric" maxlength="10" value="1"' in page


def test_a_correction_keeps_what_was_said(cup: Site) -> None:
    """The team and the staff read what stood there before, the public what stands now."""
    number = _ask(cup, tournament="cup")
    _answer(cup, number, to="all")
    (first,) = cup.get("/me/questions", "red").json()["items"][0]["answers"]
    assert _answer(cup, number, text="At three.", corrects=str(first["number"])) == 303
    for path, who in (("/my/questions", "red"), ("/manage/cup/questions", "teacher")):
        page = read(cup, path, sign_in(cup, who)["Cookie"]).text
        assert page.index("At three.") < page.index("What was said before") < page.index("At two.")
    assert "At two." not in read(cup, "/tournaments/cup").text
    assert _answer(cup, number, corrects=str(first["number"])) == 409


def test_closing(cup: Site) -> None:
    """A question is closed by a click, and the team is told that nothing more is said."""
    number = _ask(cup)
    teacher = sign_in(cup, "teacher")["Cookie"]
    closed = send(cup, f"/questions/{number}/close", teacher, back="/questions?state=open")
    assert closed.headers["location"] == "/questions?state=open"
    assert "nothing to say" in read(cup, "/my/questions", sign_in(cup, "red")["Cookie"]).text
    elsewhere = send(cup, f"/questions/{number}/close", teacher, back="https://elsewhere.test")
    assert elsewhere.headers["location"] == "/questions"


def test_hostile_texts_are_text(cup: Site) -> None:
    """Questions and answers cannot inject anything, on any page that shows them, nor in forms."""
    number = _ask(cup, HOSTILE, tournament="cup")
    _answer(cup, number, text=HOSTILE, to="all")
    paths = (
        *(("/my/questions", "red"), ("/my/news", "blue"), ("/manage/cup/questions", "teacher")),
        *(("/questions", "staff"), ("/tournaments/cup", "red"), ("/tournaments/cup/announcements", "red")),
    )
    for path, who in paths:
        page = read(cup, path, sign_in(cup, who)["Cookie"]).text
        assert "<img" not in page, path
        assert page.count(f'<p class="said" dir="auto">{SHOWN}') == 2, path
    refused = send(cup, "/my/questions", sign_in(cup, "red")["Cookie"], text=HOSTILE, match="x")
    assert "<img" not in refused.text


def test_questions_stay_closed_to_others_in_a_freeze(cup: Site) -> None:
    """In a freeze the public reads what was answered to all, also since then, and nothing else."""
    before, private = _ask(cup, "before", tournament="cup"), _ask(cup, "private", tournament="cup")
    _answer(cup, before, to="all")
    with cup.world.database.transaction() as session:
        freezing.freeze(session, cup.world.staff, lifecycle.get(session, "cup"), own=False)
    after = _ask(cup, "after", tournament="cup")
    _answer(cup, private)
    _answer(cup, after, to="all")
    for page in (
        read(cup, "/tournaments/cup/announcements").text,
        str(cup.get("/tournaments/cup/answers").json()),
    ):
        assert "before" in page
        assert "after" in page
        assert "private" not in page
    assert cup.get("/tournaments/cup/questions").status_code == 401
    assert cup.get("/tournaments/cup/questions", "red").status_code == 403
    assert cup.get("/tournaments/cup/questions", "teacher").json()["total"] == 3


def test_as_many_questions_to_the_database_for_a_long_list(cup: Site) -> None:
    """The staff's list takes as many statements with one question as with nine."""
    teacher = sign_in(cup, "teacher")["Cookie"]

    def count() -> int:
        asked: list[str] = []
        engine = cup.client.app.state.services.database.engine  # type: ignore[attr-defined]

        def note(_conn: object, _cursor: object, statement: str, *_: object) -> None:
            asked.append(statement)

        event.listen(engine, "before_cursor_execute", note)
        for path in ("/questions", "/manage/cup/questions", "/tournaments/cup/announcements"):
            assert read(cup, path, teacher).status_code == 200
        event.remove(engine, "before_cursor_execute", note)
        return len(asked)

    _answer(cup, _ask(cup, tournament="cup"), to="all")
    before = count()
    for _ in range(8):
        _answer(cup, _ask(cup, tournament="cup", match="1"), to="all")
    assert count() == before
