"""The form by which a game is begun: boards, opponents and addresses that fill it, without scripts."""

from __future__ import annotations

import re

import pytest
from markupsafe import escape

from arena.people import classes, users
from arena.submissions import versions
from engines.games import GAMES, all_games, find_presentation
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.playing import begun, legal_on, sent
from tests.integration.arena.world import GAME


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
    page = begun(hall, "reversed_reversi", params={"size": "4"}, opponent="@group8")
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
    page = sent(hall, "/play/heap_nim", opponent="", side="you", **typed)
    assert legal_on(page.text) == ["1:1", "2:1", "3:1", "4:1", "4:2"]
    page = sent(hall, "/play/heap_nim", opponent="", side="you", **{**typed, "many-heaps": "5"})
    assert len(legal_on(page.text)) == 8
    refused = sent(hall, "/play/heap_nim", opponent="", **{**typed, "param-heaps": "", "many-heaps": "11"})
    assert refused.status_code == 422


def test_another_board_with_the_same_opponent_and_clock(hall: Site) -> None:
    """A game begins again with other parameters; what was known of the board before is not of this one."""
    address = begun(hall, clock="300+3").url.path
    sent(hall, f"{address}/hint")
    board = {"param-heaps": "2, 2, 2, 2", "shown-heaps": "4", "many-heaps": "4", "param-misere": "true"}
    page = sent(hall, f"{address}/restart", **board)
    assert (page.status_code, len(legal_on(page.text))) == (200, 8)
    told = hall.get(address).json()
    assert told["game"]["params"] == {"heaps": [2, 2, 2, 2], "misere": True}
    assert (told["seats"][1]["bot"], told["increment"], told["hint"]) == ("@random", 3, None)
    assert sent(hall, f"{address}/restart", **{"param-heaps": "2"}).status_code == 422
    again = hall.post(f"{address}/restart", json={"params": {"heaps": [1, 1, 1]}})
    assert again.json()["position"]["legal"] == ["1:1", "2:1", "3:1"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_how_to_move_is_told(hall: Site, game: str) -> None:
    """Above the form and beside the board, in both languages."""
    words = find_presentation(game).how_to_point
    address = begun(hall, game, params={}, opponent="").url.path
    for language, text in (("en", words.english), ("zh-TW", words.chinese)):
        for page in (f"/play/{game}", address):
            shown = hall.client.get(page, headers={"Accept-Language": language}).text
            assert escape(text) in shown, page
    assert words.english != words.chinese
