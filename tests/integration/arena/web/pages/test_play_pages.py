"""The pages on which people play, as a browser without scripts has them."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest

from arena.coordinator import leases, moves
from arena.coordinator.leases import Attempt, Verdict
from arena.core.clock import utc_now
from arena.play import games
from engines.games import all_games, find_game
from tests.integration.arena.play.conftest import played
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import API, Site
from tests.integration.arena.web.pages.playing import begun, legal_on, sent
from tests.integration.arena.world import taken
from workers.play.turn import hint_after


def _answer(site: Site) -> None:
    """Play the turns that wait."""
    with site.world.database.transaction() as session:
        messages = leases.issue(moves.WORK, session, site.world.settings)
    for message in messages:
        about = Attempt((int(message.spec.match),), message.attempt, message.token)
        report = {"turn": played(message).model_dump(mode="json")}
        with site.world.database.transaction() as session:
            verdict = taken(
                leases.record, moves.WORK, session, about, settings=site.world.settings, report=report
            )
            assert verdict == Verdict.TAKEN


def test_a_game_without_scripts(hall: Site) -> None:
    """By forms alone one begins, moves, waits by a page that comes back, takes back, and plays to the end."""
    page = begun(hall)
    address = page.url.path
    assert page.status_code == 200
    assert legal_on(page.text) == ["1:1", "2:1", "3:1"]
    page = sent(hall, f"{address}/moves", move="1:1", ply=0)
    assert 'http-equiv="refresh"' in page.text
    assert legal_on(page.text) == []
    _answer(hall)
    page = hall.client.get(address)
    assert 'http-equiv="refresh"' not in page.text
    assert len(legal_on(page.text)) == 1
    page = sent(hall, f"{address}/undo")
    assert len(legal_on(page.text)) == 3
    page = sent(hall, f"{address}/moves", move="1:1", ply=0)
    _answer(hall)
    page = sent(hall, f"{address}/moves", move=legal_on(hall.client.get(address).text)[0], ply=2)
    assert "won: took the last one" in page.text
    assert hall.client.get(f"{address}/record").json()["result"]["reason"] == "took_the_last"


def test_a_game_is_taken_along(hall: Site) -> None:
    """Who knows its address has it as a file, before its end too, from page and API; people have no names."""
    page = begun(hall)
    address = page.url.path
    assert f'href="{address}/game.html"' in hall.client.get(f"{address}/replay").text
    assert f'href="{address}/game.html"' in sent(hall, f"{address}/moves", move="1:1", ply=0).text
    _answer(hall)
    unfinished = hall.client.get(f"{address}/game.html")
    assert unfinished.status_code == 200
    assert unfinished.headers["content-disposition"].startswith('attachment; filename="heap_nim-')
    assert "<title>Player 1 \N{EN DASH} @random</title>" in unfinished.text
    assert "The game was not over yet." in unfinished.text
    assert "A draw" not in unfinished.text
    sent(hall, f"{address}/resign")
    over = hall.client.get(f"{address}/game.html?lang=zh-Hant-TW")
    assert over.text == hall.client.get(f"{API}{address}/file?lang=zh-Hant-TW").text
    assert '<html lang="zh-Hant-TW">' in over.text
    assert "對局尚未結束" not in over.text
    assert "@random" in over.text
    for nowhere in ("/play/games/AAAAAAAAAAAAAAAAAAAAAA/game.html", f"{API}/play/games/{'A' * 22}/file"):
        assert hall.client.get(nowhere).status_code == 404


def test_what_is_refused_is_said_on_the_page(hall: Site) -> None:
    """An illegal move, a move too late and a game that cannot be are told with the status of the API."""
    page = begun(hall, opponent="")
    address = page.url.path
    assert sent(hall, f"{address}/moves", move="9:9", ply=0).status_code == 422
    assert sent(hall, f"{address}/moves", move="1:1", ply=5).status_code == 409
    assert sent(hall, f"{address}/undo").status_code == 409
    for fields in (
        {"params": {"heaps": "1, x"}},
        {"params": {"heaps": "1"}},
        {"params": {"piles": "3"}},
        {"side": "both"},
        {"opponent": "@nobody"},
        {"opponent": "@random", "level": "7"},
        {"clock": "7"},
    ):
        page = begun(hall, **fields)
        assert page.status_code == 422, fields
        assert 'role="alert"' in page.text
    assert begun(hall, opponent="nobody").status_code == 404
    assert hall.client.get("/play/chess").status_code == 404
    assert hall.client.get("/play/games/AAAAAAAAAAAAAAAAAAAAAA").status_code == 404


@pytest.mark.parametrize(
    ("act", "fields", "said"),
    [
        ("undo", {}, "你沒有可以收回的著手"),
        ("moves", {"move": "1:1", "ply": 5}, "已走了 0 手，不是 5 手"),  # noqa: RUF001  (Chinese signs)
        ("moves", {"move": "9:9", "ply": 0}, "「9:9」不是 2:1 這樣的著手"),
        ("moves", {"move": "1:9", "ply": 0}, "在這裡不能走「1:9」；合法的下法已列出"),  # noqa: RUF001  (likewise)
    ],
)
def test_what_is_refused_is_said_in_chinese(hall: Site, act: str, fields: dict[str, Any], said: str) -> None:
    """Whoever reads Chinese is told why in Chinese."""
    address = begun(hall, opponent="").url.path
    hall.client.headers["Accept-Language"] = "zh-TW"
    assert said in sent(hall, f"{address}/{act}", **fields).text


@pytest.mark.parametrize("game", sorted(all_games()))
@pytest.mark.parametrize("language", ["en", "zh-Hant-TW"])
def test_every_game_can_be_begun(hall: Site, game: str, language: str) -> None:
    """The form and the game's page are there in both languages, with the usual parameters as they stand."""
    form = hall.client.get(f"/play/{game}?lang={language}")
    assert form.status_code == 200
    params = {
        name: value or chosen
        for name, value, chosen in re.findall(
            r'name="param-(\w+)"[^>]*?(?: value="([^"]*)"|>.*?value="(\w+)" selected)', form.text, re.DOTALL
        )
    }
    assert params.keys() == find_game(game).parameters.keys()
    page = begun(hall, game, params=params, opponent="", clock="300+3")
    assert page.status_code == 200
    assert 'name="move"' in page.text


def test_the_time_rule_of_a_class_is_one_of_the_clocks(hall: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """60 s a move, three times up to 120 s: the form offers it and tells what bots have."""
    form = hall.client.get("/play/heap_nim").text
    assert "60 s a move, 3 times a game up to 120 s" in form
    assert "a bot thinks for 5 s a move at most" in form
    began = utc_now()
    monkeypatch.setattr(games, "utc_now", lambda: began)
    page = begun(hall, opponent="@random", clock="60x3")
    clock = r'class="num clock"[^>]*>([\d:]+)</td>'
    assert re.findall(clock, page.text) == ["1:00", "1:00"]
    assert "Extensions left: You 3, <bdi>@random</bdi> 3</p>" in page.text
    assert (
        "60 s a move; who takes longer spends an extension, and has 120 s for that move in all." in page.text
    )
    monkeypatch.setattr(games, "utc_now", lambda: began + dt.timedelta(seconds=90))
    page = hall.client.get(page.url.path)
    assert re.findall(clock, page.text) == ["0:30", "1:00"]
    assert "Extensions left: You 2, <bdi>@random</bdi> 3</p>" in page.text
    assert 'data-flag="30.0"' in page.text


def test_a_hint_says_why(hall: Site) -> None:
    """Heap Nim tells heap, remainder and XOR, Reversi the discs; where nobody knows anything it is said."""
    heaps = {"result": "won", "plies": 11, "moves": [{"move": "1:2", "heap": 1, "left": 1}]}
    seen = {"margin": -2.6, "best": "e3", "depth": 10, "by": "1-a"}
    estimated = {"result": None, "plies": None, "estimated": seen, "moves": [{"move": "e3"}], "values": []}
    exact = {"result": "won", "plies": None, "margin": -4, "moves": [{"move": "e3"}], "values": []}
    for game, params, told, words in (
        ("heap_nim", {"heaps": "3, 4, 5"}, heaps, ("Best: 1:2 (heap 1, take until 1 is left)", "⊕")),
        ("reversed_reversi", {}, {"unsolved": "too large"}, ("not solved",)),
        ("reversed_reversi", {}, estimated, ("Not solved.", "play e3: about 3 discs fewer than")),
        ("reversed_reversi", {}, exact, ("Best: e3", "After e3", "4 discs fewer than")),
    ):
        address = begun(hall, game, params=params, opponent="").url.path
        assert "being worked out" in sent(hall, f"{address}/hint").text
        with hall.world.database.transaction() as session:
            (message,) = leases.issue(moves.WORK, session, hall.world.settings)
        about = Attempt((int(message.spec.match),), message.attempt, message.token)
        with hall.world.database.transaction() as session:
            report = {"hint": told}
            assert (
                taken(leases.record, moves.WORK, session, about, settings=hall.world.settings, report=report)
                == Verdict.TAKEN
            )
        page = hall.client.get(address)
        assert (page.status_code, [each for each in words if each not in page.text]) == (200, [])


def test_looks_offer_as_much_as_the_program_of_heap_nims_document(hall: Site) -> None:
    """Four backgrounds, three pictures or none, and three tunes or none, each of which the script plays."""
    page = hall.client.get(begun(hall, opponent="").url.path).text
    offered = {
        name: re.findall(r'value="(\w*)"', re.findall(rf'name="{name}">(.*?)</select>', page)[0])
        for name in ("ground", "picture", "music")
    }
    assert len(offered["ground"]) >= 4
    assert [len(offered[name]) for name in ("picture", "music")] == [4, 4]
    script = hall.client.get("/static/sounds.js").text.partition("const TUNES")[2].partition("};")[0]
    assert set(re.findall(r"^  (\w+):", script, re.MULTILINE)) == set(offered["music"]) - {""}


def test_next_positions_and_their_values(hall: Site) -> None:
    """Without scripts every next position is a button; asked for once, a worker tells what each is worth."""
    address = begun(hall, opponent="", params={"heaps": "1, 1, 2"}).url.path
    page = hall.client.get(f"{address}/next").text
    assert re.findall(r'name="move" value="([^"]+)"', page) == ["1:1", "2:1", "3:1", "3:2"]
    assert "being worked out" in sent(hall, f"{address}/next").text
    with hall.world.database.transaction() as session:
        (message,) = leases.issue(moves.WORK, session, hall.world.settings)
    told = hint_after(message.spec)
    about = Attempt((int(message.spec.match),), message.attempt, message.token)
    with hall.world.database.transaction() as session:
        taken(leases.record, moves.WORK, session, about, settings=hall.world.settings, report={"hint": told})
    page = hall.client.get(f"{address}/next").text
    assert ("wins in 3" in page, page.count("<strong>loses in")) == (True, 3)
    there = hall.get(f"{address}/next").json()
    values = {each["move"]: each["value"] for each in there["positions"]}
    assert next(iter(values)) == "3:2"
    assert (values["3:2"]["result"], values["3:2"]["plies"]) == ("won", 3)
    assert {each["result"] for move, each in values.items() if move != "3:2"} == {"lost"}
    page = sent(hall, f"{address}/moves", move="3:2", ply=0)
    assert len(legal_on(page.text)) == 2
    assert "nothing follows" not in hall.client.get(f"{address}/next").text


def test_draws_are_told_apart_and_the_best_comes_first(hall: Site) -> None:
    """A draw of the L-Game has the share of the answers that lose, a move in Reversi its margin."""
    values: dict[str, list[dict[str, Any]]] = {
        "l_game": [
            {"move": "c1r/a1-b1", "result": "drawn", "plies": None, "chance": 0.705},
            {"move": "c1r", "result": "lost", "plies": 2},
        ],
        "reversed_reversi": [
            {"move": "f4", "result": "won", "plies": None, "margin": -4},
            {"move": "e3", "estimate": 2.6},
        ],
    }
    for game, words in (
        ("l_game", ("draw; 70 % of the answers lose", "loses in 2")),
        ("reversed_reversi", ("wins by 4", "about 3 more")),
    ):
        address = begun(hall, game, params={}, opponent="").url.path
        sent(hall, f"{address}/next")
        with hall.world.database.transaction() as session:
            (message,) = leases.issue(moves.WORK, session, hall.world.settings)
        about = Attempt((int(message.spec.match),), message.attempt, message.token)
        hint = {"result": "drawn", "plies": None, "moves": [], "values": values[game]}
        with hall.world.database.transaction() as session:
            taken(
                leases.record, moves.WORK, session, about, settings=hall.world.settings, report={"hint": hint}
            )
        page = hall.client.get(f"{address}/next").text
        told = [page.index(each) for each in words]
        assert told == sorted(told), game
        first = hall.get(f"{address}/next").json()["positions"][0]
        assert first["move"] == values[game][0]["move"]


def test_a_game_is_replayed_without_scripts(hall: Site) -> None:
    """Links lead from ply to ply, and the result is told once there is one."""
    address = begun(hall, opponent="").url.path
    for ply, text in enumerate(("1:1", "2:1")):
        sent(hall, f"{address}/moves", move=text, ply=ply)
    page = hall.client.get(f"{address}/replay?ply=1").text
    assert ("Ply 1 of 2" in page, "goes on" in page) == (True, True)
    sent(hall, f"{address}/resign")
    assert "Player 2 won" in hall.client.get(f"{address}/replay").text


def test_a_users_game_is_theirs(hall: Site) -> None:
    """It is listed for its owner, who plays it by page and API; others who have its address look on."""
    page = begun(hall, user="red", opponent="")
    address = page.url.path
    headers = sign_in(hall, "red")
    assert address in hall.client.get("/play", headers=headers).text
    hall.client.cookies.clear()
    assert legal_on(hall.client.get(address, headers=sign_in(hall, "blue")).text) == []
    assert sent(hall, f"{address}/moves", "blue", move="1:1", ply=0).status_code == 403
    there = address.removeprefix("/play")
    move = {"move": "1:1", "ply": 0}
    assert hall.post(f"/play{there}/moves", json=move).status_code == 403
    told = hall.post(f"/play{there}/moves", "red", json=move)
    assert (told.status_code, told.json()["position"]["ply"]) == (200, 1)
    assert hall.get(f"/play{there}").json()["mine"] is False
    assert [each["plies"] for each in hall.get("/play/games", "red").json()["items"]] == [1]


def test_the_api_plays_a_game(hall: Site) -> None:
    """Each act is an address of the API: begin, move, change the seats, undo, restart, give up, record."""
    wish = {
        "game": "heap_nim",
        "params": {"heaps": [1, 2, 4]},
        "seats": [None, None],
        "clock": {"seconds": 60},
    }
    for clock in ({"move": 60, "extension": 30}, {"move": 60}, {"move": 60, "extension": 60, "seconds": 60}):
        assert hall.post("/play/games", json=wish | {"clock": clock}).status_code == 422
    timed = hall.post("/play/games", json=wish | {"clock": {"move": 60, "extension": 120}}).json()
    assert timed["clock"] == {"move": 60, "extensions": 3, "extension": 120}
    assert [(seat["left"], seat["extensions"]) for seat in timed["seats"]] == [(60, 3), (60, 3)]
    begun = hall.post("/play/games", json=wish)
    assert begun.status_code == 201, begun.text
    here = f"/play/games/{begun.json()['address']}"
    assert hall.post(f"{here}/moves", json={"move": "3:1", "ply": 0}).json()["position"]["last"] == "3:1"
    told = hall.client.put(f"{API}{here}/seats", json={"seats": [None, "@greedy"]}).json()
    assert (told["turn"]["seat"], told["turn"]["state"]) == (1, "pending")
    assert hall.post(f"{here}/undo").json()["position"]["ply"] == 0
    hinted = hall.post(f"{here}/hint").json()
    assert hinted["hint"]["state"] == "pending"
    assert hall.post(f"{here}/restart", json={"seats": [None, None]}).json()["seats"][1]["bot"] is None
    ended = hall.post(f"{here}/resign").json()
    assert (ended["result"]["winner"], ended["result"]["reason"]) == (1, "resign")
    assert hall.get(f"{here}/record").json()["spec"]["game"]["name"] == "heap_nim"
    offered = hall.get("/play/opponents?game=heap_nim").json()
    assert {"@random", "@perfect", "@xor"} <= set(offered["reference"])
    assert offered["own"] == []
    assert games.SEATS == (0, 1)
