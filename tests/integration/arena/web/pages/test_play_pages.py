"""The pages on which people play, as a browser without scripts has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from markupsafe import escape

from arena.coordinator import leases, moves
from arena.coordinator.leases import Attempt, Verdict
from arena.people import classes, users
from arena.play import games
from arena.submissions import versions
from engines.games import GAMES, all_games, find_game, find_presentation
from tests.integration.arena.play.conftest import played
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import API, Site
from tests.integration.arena.world import GAME, taken
from workers.play.turn import hint_after


def _send(site: Site, path: str, user: str | None = None, **fields: Any) -> Any:
    headers = sign_in(site, user)
    return site.client.post(path, headers=headers, data=fields, follow_redirects=True)


def _begin(
    site: Site,
    game: str = "heap_nim",
    user: str | None = None,
    params: Mapping[str, str] = {"heaps": "1, 1, 1"},
    **fields: Any,
) -> Any:
    told = {"opponent": "@random", "side": "you", **fields}
    return _send(
        site, f"/play/{game}", user, **told, **{f"param-{name}": each for name, each in params.items()}
    )


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


def _moves(page: str) -> list[str]:
    return re.findall(r'name="move" id="move-\d+" value="([^"]+)"', page)


@pytest.fixture
def hall(site: Site) -> Site:
    """A site with a host that plays."""
    site.world.tournament("hall", start=False)
    return site


def test_a_game_without_scripts(hall: Site) -> None:
    """By forms alone one begins, moves, waits by a page that comes back, takes back, and plays to the end."""
    page = _begin(hall)
    address = page.url.path
    assert page.status_code == 200
    assert _moves(page.text) == ["1:1", "2:1", "3:1"]
    page = _send(hall, f"{address}/moves", move="1:1", ply=0)
    assert 'http-equiv="refresh"' in page.text
    assert _moves(page.text) == []
    _answer(hall)
    page = hall.client.get(address)
    assert 'http-equiv="refresh"' not in page.text
    assert len(_moves(page.text)) == 1
    page = _send(hall, f"{address}/undo")
    assert len(_moves(page.text)) == 3
    page = _send(hall, f"{address}/moves", move="1:1", ply=0)
    _answer(hall)
    page = _send(hall, f"{address}/moves", move=_moves(hall.client.get(address).text)[0], ply=2)
    assert "won: took the last one" in page.text
    assert hall.client.get(f"{address}/record").json()["result"]["reason"] == "took_the_last"


def test_what_is_refused_is_said_on_the_page(hall: Site) -> None:
    """An illegal move, a move too late and a game that cannot be are told with the status of the API."""
    page = _begin(hall, opponent="")
    address = page.url.path
    assert _send(hall, f"{address}/moves", move="9:9", ply=0).status_code == 422
    assert _send(hall, f"{address}/moves", move="1:1", ply=5).status_code == 409
    assert _send(hall, f"{address}/undo").status_code == 409
    for fields in (
        {"params": {"heaps": "1, x"}},
        {"params": {"heaps": "1"}},
        {"params": {"piles": "3"}},
        {"side": "both"},
        {"opponent": "@nobody"},
        {"opponent": "@random", "level": "7"},
        {"clock": "7"},
    ):
        page = _begin(hall, **fields)
        assert page.status_code == 422, fields
        assert 'role="alert"' in page.text
    assert _begin(hall, opponent="nobody").status_code == 404
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
    address = _begin(hall, opponent="").url.path
    hall.client.headers["Accept-Language"] = "zh-TW"
    assert said in _send(hall, f"{address}/{act}", **fields).text


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
    page = _begin(hall, game, params=params, opponent="", clock="300+3")
    assert page.status_code == 200
    assert 'name="move"' in page.text


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
        address = _begin(hall, game, params=params, opponent="").url.path
        assert "being worked out" in _send(hall, f"{address}/hint").text
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
    page = hall.client.get(_begin(hall, opponent="").url.path).text
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
    address = _begin(hall, opponent="", params={"heaps": "1, 1, 2"}).url.path
    page = hall.client.get(f"{address}/next").text
    assert re.findall(r'name="move" value="([^"]+)"', page) == ["1:1", "2:1", "3:1", "3:2"]
    assert "being worked out" in _send(hall, f"{address}/next").text
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
    page = _send(hall, f"{address}/moves", move="3:2", ply=0)
    assert len(_moves(page.text)) == 2
    assert "nothing follows" not in hall.client.get(f"{address}/next").text


def test_a_game_is_replayed_without_scripts(hall: Site) -> None:
    """Links lead from ply to ply, and the result is told once there is one."""
    address = _begin(hall, opponent="").url.path
    for ply, text in enumerate(("1:1", "2:1")):
        _send(hall, f"{address}/moves", move=text, ply=ply)
    page = hall.client.get(f"{address}/replay?ply=1").text
    assert ("Ply 1 of 2" in page, "goes on" in page) == (True, True)
    _send(hall, f"{address}/resign")
    assert "Player 2 won" in hall.client.get(f"{address}/replay").text


def test_a_users_game_is_theirs(hall: Site) -> None:
    """It is listed for its owner, who plays it by page and API; others who have its address look on."""
    page = _begin(hall, user="red", opponent="")
    address = page.url.path
    headers = sign_in(hall, "red")
    assert address in hall.client.get("/play", headers=headers).text
    hall.client.cookies.clear()
    assert _moves(hall.client.get(address, headers=sign_in(hall, "blue")).text) == []
    assert _send(hall, f"{address}/moves", "blue", move="1:1", ply=0).status_code == 403
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


def _field(page: str, name: str) -> str:
    found: list[str] = re.findall(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    return found[0]


def _selected(page: str, name: str) -> str:
    """What is chosen in a field of the form."""
    found: list[str] = re.findall(r'value="([^"]*)" selected', _field(page, name))
    return found[0]


def _offered(page: str) -> list[str]:
    return re.findall(r'value="(@[^"]+)"', _field(page, "opponent"))


def test_an_address_fills_the_form(hall: Site) -> None:
    """Opponent, level, side, clock and parameters stand as it says; who is offered plays with those."""
    page = hall.client.get(
        "/play/circle_nim?opponent=@algo3_vs_hum&level=10000&side=other&clock=300%2B3&param-rows=6"
    ).text
    assert 'class="notice"' not in page
    chosen = [_selected(page, name) for name in ("opponent", "side", "clock", "param-rows")]
    assert chosen == ["@algo3_vs_hum", "other", "300+3", "6"]
    assert 'name="level" value="10000"' in page
    assert "all losing records at every turn" in page
    levels = re.findall(
        r'href="(/play/circle_nim\?opponent=[^"]+)"', hall.client.get("/games/circle_nim").text
    )
    assert [_selected(hall.client.get(each).text, "opponent") for each in levels] == _offered(page)[:8]
    assert len(levels) == 8


@pytest.mark.parametrize(
    ("query", "said", "usual"),
    [
        ("opponent=@nobody", "no reference bot &#39;@?nobody&#39;", ("opponent", "@random")),
        ("opponent=@mcts&level=x", "x", ("opponent", "@random")),
        ("opponent=somebody", "there is no bot", ("opponent", "@random")),
        ("side=third", "who begins is", ("side", "you")),
        ("clock=1", "the clock is one of", ("clock", "")),
        ("param-rows=99", "rows must be", ("param-rows", "5")),
        ("param-rows=%5B", "rows cannot be read", ("param-rows", "5")),
        ("param-walls=1", "no parameter &#39;walls&#39;", ("param-rows", "5")),
    ],
)
def test_what_an_address_says_wrongly_is_passed_over(
    hall: Site, query: str, said: str, usual: tuple[str, str]
) -> None:
    """The page says what it was, and has what is usual in its place."""
    page = hall.client.get(f"/play/circle_nim?{query}")
    assert page.status_code == 200
    assert re.search(rf'class="notice" role="status">.*?{said}', page.text, re.DOTALL)
    name, value = usual
    assert (_selected(page.text, name) if value else "selected" not in _field(page.text, name)) in {
        value,
        True,
    }


def test_opponents_are_those_that_play_with_the_parameters(hall: Site) -> None:
    """On another board the menu is another, also where something else was refused."""
    usual, small = (
        _offered(hall.client.get(f"/play/reversed_reversi{each}").text) for each in ("", "?param-size=4")
    )
    assert ("@group8" in usual, "@group8" in small) == (True, False)
    assert ("@perfect" in usual, "@perfect" in small) == (False, True)
    page = _begin(hall, "reversed_reversi", params={"size": "4"}, opponent="@group8")
    assert (page.status_code, _offered(page.text), _selected(page.text, "param-size")) == (422, small, "4")
    assert _selected(page.text, "opponent") == "@random"


def test_bots_that_cannot_play_a_game_are_not_offered(used: Site) -> None:
    """A bot whose owner lets others play against it is in the menu of the game that it passed in alone."""
    with used.world.database.transaction() as session:
        users.get(session, "blue").class_id = classes.get(session, CLASS).id
        bot = versions.get(session, "blue")
        bot.takes_scrimmages = True
        for version in bot.versions:
            version.games = [GAME]
    for game in all_games():
        there = ["blue"] if game == GAME else []
        assert used.get(f"/play/opponents?game={game}", "ruby").json()["others"] == there
        page = used.client.get(f"/play/{game}", headers=sign_in(used, "ruby")).text
        assert ('<option value="blue">' in page) == bool(there)


def test_so_many_heaps_are_chosen_without_scripts(hall: Site) -> None:
    """Each further heap holds one more; what is typed stands where the number was not changed."""
    form = "param-heaps=3,+4,+5&shown-heaps=3&many-heaps"
    page = hall.client.get(f"/play/heap_nim?{form}=5").text
    assert 'name="param-heaps" id="param-heaps" value="3, 4, 5, 6, 7"' in page
    assert "<option selected>5</option>" in page
    assert 'value="3, 4"' not in page
    typed = {"param-heaps": "1, 1, 1, 2", "shown-heaps": "3", "many-heaps": "3"}
    page = _send(hall, "/play/heap_nim", opponent="", side="you", **typed)
    assert _moves(page.text) == ["1:1", "2:1", "3:1", "4:1", "4:2"]
    page = _send(hall, "/play/heap_nim", opponent="", side="you", **{**typed, "many-heaps": "5"})
    assert len(_moves(page.text)) == 8
    refused = _send(hall, "/play/heap_nim", opponent="", **{**typed, "param-heaps": "", "many-heaps": "11"})
    assert refused.status_code == 422


def test_another_board_with_the_same_opponent_and_clock(hall: Site) -> None:
    """A game begins again with other parameters; what was known of the board before is not of this one."""
    address = _begin(hall, clock="300+3").url.path
    _send(hall, f"{address}/hint")
    board = {"param-heaps": "2, 2, 2, 2", "shown-heaps": "4", "many-heaps": "4", "param-misere": "true"}
    page = _send(hall, f"{address}/restart", **board)
    assert (page.status_code, len(_moves(page.text))) == (200, 8)
    told = hall.get(address).json()
    assert told["game"]["params"] == {"heaps": [2, 2, 2, 2], "misere": True}
    assert (told["seats"][1]["bot"], told["increment"], told["hint"]) == ("@random", 3, None)
    assert _send(hall, f"{address}/restart", **{"param-heaps": "2"}).status_code == 422
    again = hall.post(f"{address}/restart", json={"params": {"heaps": [1, 1, 1]}})
    assert again.json()["position"]["legal"] == ["1:1", "2:1", "3:1"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_how_to_move_is_told(hall: Site, game: str) -> None:
    """Above the form and beside the board, in both languages."""
    words = find_presentation(game).how_to_point
    address = _begin(hall, game, params={}, opponent="").url.path
    for language, text in (("en", words.english), ("zh-TW", words.chinese)):
        for page in (f"/play/{game}", address):
            shown = hall.client.get(page, headers={"Accept-Language": language}).text
            assert escape(text) in shown, page
    assert words.english != words.chinese
