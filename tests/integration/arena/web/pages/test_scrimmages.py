"""The pages and answers of scrimmages: what each of the two teams sees, and nobody else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena.coordinator import leases, scrimmages
from arena.coordinator.leases import Attempt, Verdict
from arena.people import classes, users
from arena.submissions import versions
from arena.web.pages import header
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import EVIDENCE, Site, start_cup
from tests.integration.arena.web.pages.browser import read, send
from tests.integration.arena.world import GAME, play, taken

HOSTILE = "<script>alert(1)</script>\u202e"


@pytest.fixture
def used(used: Site) -> Site:
    """Both teams are of one class, and `blue` lets others play against its bot."""
    with used.world.database.transaction() as session:
        users.get(session, "blue").class_id = classes.get(session, CLASS).id
        versions.get(session, "blue").takes_scrimmages = True
    return used


def _ask(site: Site, user: str = "ruby", **wish: Any) -> int:
    told = {"bot": "red", "opponent": "blue", "game": GAME, **wish}
    answer = site.post("/me/scrimmages", user, json=told)
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def _play(site: Site) -> None:
    """Play what waits; each bot writes what only its own team may read."""
    world = site.world
    while True:
        with world.database.transaction() as session:
            messages = leases.issue(scrimmages.WORK, session, world.settings)
        if not messages:
            return
        for message in messages:
            result = play(message.spec)
            moves = tuple(
                replace(move, debug=f"{HOSTILE} {EVIDENCE} {message.spec.bots[move.seat].name}")
                for move in result.moves
            )
            logs = [
                use.model_copy(update={"stderr_head": f"{HOSTILE} log of {bot.name}", "stderr_bytes": 9})
                for use, bot in zip(result.seats, message.spec.bots, strict=True)
            ]
            told = result.model_copy(update={"moves": moves, "seats": tuple(logs)})
            about = Attempt((int(message.spec.match),), message.attempt, message.token)
            with world.database.transaction() as session:
                report = {"report": told.model_dump(mode="json")}
                verdict = taken(
                    leases.record, scrimmages.WORK, session, about, settings=world.settings, **report
                )
            assert verdict == Verdict.TAKEN


def test_each_team_reads_its_own_log_only(used: Site) -> None:
    """Moves are there for both; notes and stderr of the other's bot are in no answer and on no page."""
    number = _ask(used)
    _play(used)
    for user, bot, other in (("ruby", "red", "blue"), ("red", "red", "blue"), ("blue", "blue", "red")):
        for game in (1, 2):
            answer = used.get(f"/me/scrimmages/{number}/games/{game}", user)
            told = answer.json()
            page = read(used, f"/my/scrimmages/{number}/games/{game}", sign_in(used, user)["Cookie"])
            assert page.status_code == 200
            assert "no-store" in page.headers["cache-control"]
            for text in (answer.text, page.text):
                assert f"log of {bot}" in text
                assert f"log of {other}" not in text
                assert f"{EVIDENCE} {bot}" in text
                assert f"{EVIDENCE} {other}" not in text
            assert "<script>alert" not in page.text
            assert len(told["moves"]) > 3
            assert [told["seats"][seat]["bot"] for seat in told["logs"]] == [bot]
    ours = used.get(f"/me/scrimmages/{number}", "ruby").json()
    theirs = used.get(f"/me/scrimmages/{number}", "blue").json()
    assert (ours["own"], ours["asked_by"], theirs["own"], theirs["asked_by"]) == (True, "ruby", False, None)
    turned = {"won": "lost", "lost": "won", "drawn": "drawn"}
    assert [turned[each["outcome"]] for each in ours["games"]] == [
        each["outcome"] for each in theirs["games"]
    ]


def test_a_game_is_taken_along_by_both_teams(used: Site) -> None:
    """Page and API give each the same file, without any bot's log or note; before its end there is none."""
    number = _ask(used)
    page, api = (f"/{of}/scrimmages/{number}/games/1" for of in ("my", "me"))
    ruby = sign_in(used, "ruby")["Cookie"]
    assert read(used, f"{page}/game.html", ruby).status_code == 409
    assert used.get(f"{api}/file", "ruby").status_code == 409
    assert "game.html" not in read(used, page, ruby).text
    _play(used)
    assert f'href="{page}/game.html"' in read(used, page, ruby).text
    for user in ("ruby", "blue"):
        taken_along = read(used, f"{page}/game.html?lang=zh-Hant-TW", sign_in(used, user)["Cookie"])
        assert (
            taken_along.headers["content-disposition"] == f'attachment; filename="scrimmage-{number}-1.html"'
        )
        assert taken_along.text == used.get(f"{api}/file?lang=zh-Hant-TW", user).text
        assert '<html lang="zh-Hant-TW">' in taken_along.text
        assert EVIDENCE not in taken_along.text
        assert "log of" not in taken_along.text
    assert used.get(f"{api}/file", "elsewhere").status_code == 404
    assert read(used, f"{page}/game.html", sign_in(used, "elsewhere")["Cookie"]).status_code == 404


def test_of_a_reference_bot_both_sides_are_read(used: Site) -> None:
    """And so is what another version of one's own wrote."""
    number = _ask(used, opponent="@random")
    _play(used)
    told = used.get(f"/me/scrimmages/{number}/games/1", "red").json()
    assert told["logs"] == [0, 1]
    assert [use["stderr_head"].split()[-1] for use in told["use"]] == ["red", "@random"]
    assert [each["owner"] for each in told["seats"]] == ["red", None]


def test_a_reference_bot_is_played_at_any_level(used: Site) -> None:
    """The form offers the levels, takes others as they are typed, and else says what there is."""
    ruby = sign_in(used, "ruby")["Cookie"]
    assert '<option value="@mcts:96">' in read(used, "/my/scrimmages", ruby).text
    form = {"bot": "red", "opponent": "@random", "rules": f"game:{GAME}"}
    assert send(used, "/my/scrimmages", ruby, **form, other=" mcts:7 ").status_code == 303
    assert used.get("/me/scrimmages", "ruby").json()["items"][0]["opponent"]["bot"] == "@mcts:7"
    refused = send(used, "/my/scrimmages", ruby, **form, other="nobody:7")
    assert (refused.status_code, "there are @champion, " in refused.text) == (422, True)
    assert 'name="other" value="nobody:7"' in refused.text


def test_it_is_nowhere_else(used: Site) -> None:
    """No list, table, export, statistic or event of the public's or another team's has anything of it."""
    start_cup(used)
    cup = "/tournaments/cup"
    quiet = ("/tournaments", f"{cup}/matches", f"{cup}/leaderboard", f"{cup}/crosstable", "/me/matches")
    before = {path: used.get(path, "red").text for path in quiet}
    assert all(used.get(path, "red").status_code == 200 for path in quiet)
    number = _ask(used)
    _play(used)
    assert {path: used.get(path, "red").text for path in quiet} == before
    for user in ("elsewhere", "staff"):
        status = used.get(f"/me/scrimmages/{number}", user).status_code
        assert status == (404 if user == "elsewhere" else 200)
    with used.world.database.transaction() as session:
        _, used.tokens["green"] = users.create_user(session, "green", users.get(session, "red").role)
    for address in (f"/me/scrimmages/{number}", f"/me/scrimmages/{number}/games/1"):
        assert used.get(address, "green").status_code == 404
    assert used.post(f"/me/scrimmages/{number}/cancel", "green").status_code == 404
    green = sign_in(used, "green")["Cookie"]
    assert read(used, f"/my/scrimmages/{number}", green).status_code == 404
    assert used.get("/me/opponents", "green").json()["others"] == []
    assert [each["bot"] for each in used.get("/me/opponents", "red").json()["others"]] == ["blue"]


def test_the_form_asks_and_says_what_was_wrong(used: Site) -> None:
    """What is refused is shown as it was sent, with the reason; what is taken leads to its page."""
    red = sign_in(used, "ruby")["Cookie"]
    wish = {"bot": "red/1", "opponent": "@random", "rules": f"game:{GAME}", "games": "2"}
    refused = send(used, "/my/scrimmages", red, **wish | {"opponent": "green"})
    assert refused.status_code == 404
    assert "There is no such bot, version or tournament for your team." in refused.text
    assert send(used, "/my/scrimmages", red, **wish | {"opponent": ""}).status_code == 422
    made = send(used, "/my/scrimmages", red, **wish)
    assert made.status_code == 303
    page = read(used, made.headers["location"], red)
    assert "Asked for by ruby" in page.text
    assert send(used, made.headers["location"] + "/cancel", red).status_code == 303
    assert "Called off" in read(used, made.headers["location"], red).text


def test_too_many_are_told_when_again(used: Site) -> None:
    """The answer is 429 with the seconds, and the page says how many are left."""
    red = sign_in(used, "red")["Cookie"]
    for _ in range(3):
        _ask(used, games=6)
        _play(used)
    answer = used.post("/me/scrimmages", "red", json={"bot": "red", "opponent": "blue", "games": 3})
    assert answer.status_code == 429
    assert 86_000 < int(answer.headers["retry-after"]) <= 86_400
    wish = {"bot": "red", "opponent": "blue", "rules": f"game:{GAME}", "games": "3"}
    page = send(used, "/my/scrimmages", red, **wish)
    assert (page.status_code, "retry-after" in page.headers) == (429, True)
    assert "2 of 20 games are left" in page.text


def test_switches_of_bots_and_classes(used: Site) -> None:
    """A button opens a bot, another closes a class; each page says how it stands."""
    red, teacher = sign_in(used, "ruby")["Cookie"], sign_in(used, "teacher")["Cookie"]
    assert "Nobody else plays scrimmages" in read(used, "/my/bots/red", red).text
    assert send(used, "/my/bots/red/scrimmages", red, allowed="true").status_code == 303
    assert "Others of your class may play scrimmages" in read(used, "/my/bots/red", red).text
    assert used.get("/me/opponents", "blue").json()["others"] == [{"bot": "red", "owner": "red"}]
    assert send(used, f"/classes/{CLASS}/scrimmages", teacher, allowed="false").status_code == 303
    assert "have no scrimmages at the moment" in read(used, f"/classes/{CLASS}", teacher).text
    assert "has no scrimmages at the moment" in read(used, "/my/scrimmages", red).text
    assert used.post("/me/scrimmages", "red", json={"bot": "red", "opponent": "@random"}).status_code == 409


def test_the_staff_hands_in_a_reference_bot_by_name(used: Site) -> None:
    """On the page and by the API; it is checked as any other, and others are not offered the form."""
    teacher, red = sign_in(used, "teacher")["Cookie"], sign_in(used, "ruby")["Cookie"]
    assert 'action="/my/bots/new/reference"' in read(used, "/my/bots/new", teacher).text
    assert 'action="/my/bots/new/reference"' not in read(used, "/my/bots/new", red).text
    made = send(used, "/my/bots/new/reference", teacher, reference="greedy", game=GAME)
    assert made.headers["location"] == "/my/bots/greedy/versions/1"
    told = used.get("/bots/greedy").json()
    assert (told["owner"], told["newest"]["state"]) == ("teacher", "checking")
    assert '<option value="mcts:96">' in read(used, "/my/bots/new", teacher).text
    made = send(used, "/my/bots/new/reference", teacher, reference="random", other="@mcts:9", game=GAME)
    assert made.headers["location"] == "/my/bots/mcts-9/versions/1"
    typed = {"other": "mcts:none", "name": "easy"}
    refused = send(used, "/my/bots/new/reference", teacher, reference="random", game=GAME, **typed)
    assert refused.status_code == 422
    assert all(f'value="{each}"' in refused.text for each in typed.values())
    refused = send(used, "/my/bots/new/reference", teacher, reference="xor", game=GAME)
    assert refused.status_code == 422
    assert "no reference bot" in refused.text
    answer = used.post("/bots/easy/reference", "staff", json={"reference": "random", "games": ["heap_nim"]})
    assert (answer.status_code, answer.json()["games"]) == (201, ["heap_nim"])
    again = used.post("/bots/easy/reference", "staff", json={"reference": "random", "games": ["heap_nim"]})
    assert (again.status_code, again.json()["created"]) == (200, False)


def test_a_list_takes_as_many_questions_however_long_it_is(
    used: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is asked as often for ten scrimmages as for two."""
    monkeypatch.setattr(header, "_unread", lambda *_: 0)  # which is counted from time to time
    red = sign_in(used, "ruby")["Cookie"]
    engine = used.client.app.state.services.database.engine  # type: ignore[attr-defined]  # see create_app
    counts = []
    for rounds in (1, 4):
        for _ in range(rounds):
            _ask(used, games=1)
            _ask(used, games=1, opponent="@random")
            _play(used)
        for path in ("/me/scrimmages", "/my/scrimmages"):
            with asked("SELECT", engine=engine) as found:
                answer = used.get(path, "red") if path.startswith("/me") else read(used, path, red)
            assert answer.status_code == 200
            counts.append(len(found))
    assert counts[:2] == counts[2:]
    assert min(counts) > 0
