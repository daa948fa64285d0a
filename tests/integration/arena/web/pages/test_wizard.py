"""The form that makes a tournament."""

from __future__ import annotations

import datetime as dt
import re
from urllib.parse import urlencode

import pytest

from arena.planning import local_time
from arena.web.pages.wizard_templates import TEMPLATES
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import read, send
from tests.integration.arena.web.pages.making import PLAN, TITLE, make
from tests.integration.arena.web.pages.test_pages import Outline
from tests.integration.arena.world import GAME

ESCAPED = "春季決賽 &lt;b&gt;&amp;&#34;&#39;"
HEAPS = {"game": "heap_nim", "shown_game": "heap_nim"}


def test_a_tournament_is_made_on_one_page(used: Site, teacher: str) -> None:
    """What is typed becomes the plan that the API shows, open for entries, and leads to its page."""
    assert make(used, teacher) == "/manage/spring"
    made = used.get("/tournaments/spring").json()
    assert (made["title"], made["state"], made["format"]) == (TITLE, "open", "double_round_robin")
    assert made["game"]["params"] == {"size": 4, "reversed": True}
    assert (made["time"]["move_ms"], made["time"]["extensions"]) == (1500, 0)
    assert [each["name"] for each in used.get("/me/tournaments", "teacher").json()["items"]] == ["spring"]
    assert used.get("/me/tournaments", "elsewhere").json()["items"] == []


DATES = {
    "opens": "2100-06-01T08:00",
    "close": "2100-06-02T08:00",
    "start": "2100-06-02T09:00",
    "freeze": "2100-06-02T10:00",
    "reveal": "2100-06-02T12:30",
}


def _at(used: Site, text: str) -> str:
    zone = local_time.zone_of(used.world.settings)
    return (
        dt.datetime.fromisoformat(text)
        .replace(tzinfo=zone)
        .astimezone(dt.UTC)
        .isoformat()
        .replace("+00:00", "Z")
    )


def test_dates_are_set_with_the_tournament(used: Site, teacher: str) -> None:
    """The moments typed are the timetable's, in the arena's zone; with one for opening it stays a draft."""
    make(used, teacher, own="on", **DATES)
    told = used.get("/tournaments/spring/timetable", "teacher").json()
    assert [each["at"] for each in told["moments"]] == [_at(used, text) for text in DATES.values()]
    assert told["own"] is True
    assert used.get("/tournaments/spring").json()["state"] == "draft"
    make(used, teacher, name="summer", start=DATES["start"])
    told = used.get("/tournaments/summer/timetable", "teacher").json()
    assert ([each["act"] for each in told["moments"]], told["own"]) == (["start"], False)
    assert used.get("/tournaments/summer").json()["state"] == "open"


def test_dates_are_shown_before_they_are_set(used: Site, teacher: str) -> None:
    """Beside the form stands what was read of the dates, and the forecast begins at the start."""
    page = read(used, f"/manage/new?{urlencode(PLAN | DATES | {'bots': '4'})}", teacher).text
    Outline(page)
    forecast = page.partition('id="forecast"')[2]
    zone = local_time.zone_of(used.world.settings)
    for text in DATES.values():
        moment = dt.datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(dt.UTC)
        assert f'datetime="{moment.isoformat()}"' in forecast
    assert re.search(r'datetime="2100-06-02T(09|10|11):', forecast.partition('id="planning"')[2])
    assert "2100" not in read(used, f"/manage/new?{urlencode(PLAN | {'close': 'soon'})}", teacher).text


def test_another_conflict_is_not_told_of_the_name(used: Site, teacher: str) -> None:
    """Where one's own bot of a reference bot's name has become another program, the page says so."""
    for text in ("random", "greedy"):
        wanted = {"reference": text, "name": "random", "game": GAME}
        assert send(used, "/my/bots/new/reference", teacher, **wanted).status_code == 303
    answer = send(used, "/manage/new", teacher, **PLAN | {"reference-random": "on"})
    assert answer.status_code == 409
    assert "is another program than the reference bot" in answer.text
    assert "This name is taken" not in answer.text


def test_a_title_stands_over_every_page_and_is_never_markup(used: Site, teacher: str) -> None:
    """Pages for everybody and for the staff show the title, escaped; text exports begin with it."""
    make(used, teacher)
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
        (
            {"param-size": "5"},
            422,
            'Squares along a side: <span lang="en">size must be one of 4, 6, 8, 10, not 5',
        ),
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
        ({"other_references": "nobody"}, 422, "there are @champion, "),
        ({"other_references": "mcts:x"}, 422, "a whole number from"),
        ({"close": "soon"}, 422, "is no time; write 17:00"),
        ({"start": "2001-01-01T09:00"}, 422, "has passed"),
        ({"close": "2100-06-02T09:00", "start": "2100-06-01T09:00"}, 422, "has to come after that to close"),
        ({"reveal": "2100-06-02T09:00"}, 422, "there is a moment to reveal and none to freeze"),
    ],
)
def test_what_makes_no_tournament(
    used: Site, teacher: str, fields: dict[str, str], status: int, told: str
) -> None:
    """What is wrong is said beside the form, which keeps what was typed; nothing is made."""
    make(used, teacher, name="taken")
    answer = send(used, "/manage/new", teacher, **PLAN | {"title": "Kept"} | fields)
    assert answer.status_code == status
    assert told in answer.text
    assert 'role="alert"' in answer.text
    assert fields.get("title", "Kept") in answer.text
    for name in DATES.keys() & fields.keys():
        assert f'name="{name}" value="{fields[name]}"' in answer.text
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
        ({"title": "x" * 101}, "標題: <span>最多 100 個字"),
        ({"title": "a\u202eb"}, "標題: <span>請寫一行文字.不含控制字元"),
        ({"seed": str(10**17)}, "亂數種子: 須小於 9007199254740992"),
        ({"format": "gauntlet", "shown_format": "gauntlet"}, "主將: 請填寫"),
        ({"param-size": "5"}, "棋盤邊長: <span>邊長須為 4, 6, 8, 10 之一"),
        ({"param-size": "11"}, "棋盤邊長: 最多 10"),
        ({"param-rows": "9"}, "縱向格數[^:]*: <span>指定縱向格數時.邊長與縱向格數都須為 3 至 8"),
        (HEAPS | {"param-heaps": "3,4,0"}, "各堆數目: <span>各堆數目須為 1 至 500 的整數"),
        (HEAPS | {"param-heaps": "3"}, "各堆數目: <span>須有 3 至 10 堆"),
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
    made = [make(used, teacher, name="", title=title) for _ in range(2)]
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


def test_reference_bots_come_at_a_level(used: Site, teacher: str) -> None:
    """The measured levels and those of bots in C are offered, and any other is taken as it is typed."""
    page = read(used, "/manage/new", teacher).text
    for level in ("mcts:96", "champion:1", "champion:8"):
        assert f'name="reference-{level}"' in page, level
    assert "reference-perfect" not in page
    make(used, teacher, **{"reference-mcts:96": "on", "other_references": "@mcts:1000, mcts:7"})
    waiting = used.get("/tournaments/spring/pending-entries", "teacher").json()["items"]
    assert {each["bot"] for each in waiting} == {"mcts-96", "mcts-1000", "mcts-7"}


def test_reference_bots_come_with_the_form(used: Site, teacher: str) -> None:
    """Those that are ticked are handed in and wait for their check; one is taken back."""
    assert make(used, teacher, **{"reference-random": "on", "reference-greedy": "on"}) == "/manage/spring"
    page = read(used, "/manage/spring", teacher).text
    Outline(page)
    assert page.count("/pending-entries/") == 2
    assert send(used, "/manage/spring/pending-entries/greedy/withdraw", teacher).status_code == 303
    waiting = used.get("/tournaments/spring/pending-entries", "teacher").json()["items"]
    assert [(each["bot"], each["state"]) for each in waiting] == [("random", "checking")]
