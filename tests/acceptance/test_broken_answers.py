"""Pages that are open while answers break off and are refused, as where an arena is started anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from arena.client.http import ArenaClient
from tests.acceptance.bots import thinker
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import IMPATIENT, Arena, MakeArena, eventually
from tests.acceptance.test_play import MINE, begin_game, is_over, press_move

pytestmark = [needs_chromium, pytest.mark.long]
BOTS = ("one", "two")
PLAN = {"game": "reversed_reversi", "params": {"size": 4}, "format": "round_robin"}
BREAK = """() => {
  window.broken = false;
  for (const kind of ["text", "json"]) {
    const whole = Response.prototype[kind];
    Response.prototype[kind] = function () {
      if (window.broken || this.redirected) return whole.call(this);
      window.broken = true;
      return Promise.reject(new TypeError("network error"));
    };
  }
}"""
"""Has the next answer that a script reads break off in the middle."""
STREAMS = """
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...told) {
    super(...told);
    window.streams.push(this);
  }
};
"""
OPEN = "window.streams.filter((each) => each.readyState !== EventSource.CLOSED).length"
LOOKED_AT = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena with one worker and two bots that take their time."""
    arena = make_shared(1, **IMPATIENT, ARENA_REGISTER_SECONDS="1")
    with arena.client() as client:
        for name in BOTS:
            client.submit(name, "bot.py", thinker(0.3))
        for name in BOTS:
            assert client.await_check(name, 1).state == "passed"
    return arena


@pytest.fixture(autouse=True)
def _works(arena: Arena) -> Iterator[None]:
    """The worker takes matches before each test, also after one that has failed."""
    yield
    with arena.client() as client:
        (host,) = client.workers()
        if host.state == "drained":
            _go(client)


def _begin(client: ArenaClient, name: str, **plan: Any) -> None:
    """Start a tournament of one match, whose worker takes nothing yet."""
    (host,) = client.workers()
    client.drain_worker(host.name)
    eventually(lambda: client.worker(host.name).state == "drained")
    client.create_tournament({"name": name, **PLAN, **plan})
    client.change(name, "open")
    for bot in BOTS:
        client.enter(name, bot)
    client.change(name, "start")


def _go(client: ArenaClient) -> None:
    (host,) = client.workers()
    client.resume_worker(host.name)


def test_a_page_that_is_followed_outlives_an_answer_that_breaks_off(arena: Arena, reader: Reader) -> None:
    """The tournament's page reads itself again, and shows what happened meanwhile and afterwards."""
    with arena.client() as client:
        _begin(client, "broken")
        client.change("broken", "pause")
        reader.open("/tournaments/broken")
        reader.page.evaluate(BREAK)
        client.change("broken", "resume")
        eventually(lambda: reader.page.evaluate("window.broken"))
        reader.page.wait_for_selector(".state.running")
        _go(client)
        reader.page.wait_for_selector(".state.finished")


def test_the_board_of_the_home_page_outlives_an_answer_that_breaks_off(arena: Arena, reader: Reader) -> None:
    """The position after one that did not come is drawn."""
    with arena.client() as client:
        _begin(client, "at-home", params={"size": 6})
        reader.visit("/")
        _go(client)
        reader.page.wait_for_selector("[data-now]")
        reader.page.evaluate(BREAK)
        eventually(lambda: reader.page.evaluate("window.broken"))
        with reader.page.expect_response("**/positions?*"):
            pass
        eventually(lambda: client.tournament("at-home").state == "finished")


def _end(page: Page) -> tuple[str, str]:
    """What a match's page says at its end: the score, and the ply that is shown of so many."""
    expect(page.locator("[data-result] .score")).to_be_visible()
    expect(page.locator("[data-to-move] .player")).to_have_count(0)
    return page.inner_text("[data-result] .score"), page.inner_text("#board h2")


def test_the_page_of_a_match_comes_to_its_end(arena: Arena, reader: Reader) -> None:
    """Where its stream was refused, then its result, and where the match ended before the stream began."""
    page, context = reader.page, reader.page.context
    page.add_init_script(STREAMS)
    with arena.client() as client:
        _begin(client, "ending")
        refused = [_refuse(page, "**/matches/1/events?*")]
        page.goto(f"{arena.state.url}/tournaments/ending/matches/1")
        late = _held_up(context, f"{arena.state.url}/tournaments/ending/matches/1")
        eventually(lambda: bool(refused[0]) and page.evaluate(OPEN) == 1)
        page.evaluate(LOOKED_AT, True)
        assert page.evaluate(OPEN) == 0
        page.evaluate(LOOKED_AT, False)
        refused += [_refuse(page, "**/matches/1")]
        _go(client)
        eventually(lambda: client.tournament("ending").state == "finished")
        ends = [_end(page)]
        assert page.evaluate(OPEN) == 0
        late_page, (route,) = late
        route.continue_()
        ends += [_end(late_page)]
        page.goto(page.url)
        ends += [_end(page)]
    assert [len(each) for each in refused] == [1, 1]
    assert ends == ends[:1] * 3
    reader.complaints.clear()  # of what was refused


def _refuse(page: Page, address: str) -> list[str]:
    """Have a proxy refuse what is asked for next, once; what it refused."""
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=502)

    page.route(address, refuse, times=1)
    return refused


def _held_up(context: BrowserContext, address: str) -> tuple[Page, list[Route]]:
    """A page that has not been told yet what it needs before it opens its stream."""
    page = context.new_page()
    held: list[Route] = []
    page.route("**/matches/1/positions", lambda route: held.append(route), times=1)  # noqa: PLW0108
    page.goto(address)
    eventually(lambda: bool(page.evaluate("1") and held))  # routes are told while something is asked
    return page, held


def test_a_game_with_a_bot_outlives_an_answer_that_breaks_off(reader: Reader) -> None:
    """Whoever waits for the bot's move sees it although one answer did not come whole."""
    page = reader.page
    reader.visit("/play/heap_nim")
    begin_game(page, "4, 4, 4")
    page.evaluate(BREAK)
    while not page.evaluate("window.broken"):
        assert not is_over(page)
        press_move(page)
    page.wait_for_selector(MINE)


def test_a_projector_forgets_what_it_has_shown(reader: Reader) -> None:
    """Of the games that were told to a page that is open for days the latest are kept."""
    reader.visit("/tournaments")
    kept = reader.page.evaluate(
        """async () => {
          const { take, movesOf } = await import("/static/played.js");
          const moves = [{ ply: 0, move: "a1" }];
          const told = (match) => ({ tournament: "cup", match, attempt: 1, moves });
          const keys = [...Array(1000).keys()].map((match) => take(told(match)));
          return keys.map((key) => movesOf(key).length);
        }"""
    )
    assert kept == [0] * 744 + [1] * 256
