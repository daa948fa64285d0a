"""Exact values of a game: asked for on its page and by the API, shown to everybody, hidden by a freeze."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import select

from arena.coordinator import leases
from arena.coordinator.leases import Verdict
from arena.core.terms import MatchState
from arena.store.models import Analysis
from arena.tournaments import freezing
from bots.reference.estimates import find_estimator
from engines.games import find_game
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.judging import states_of
from tests.integration.arena.reviewing import analyse_all, give_out, judged, report
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, play_cup, start_cup
from tests.integration.arena.world import issue_matches, play

PAGE = "/tournaments/cup/matches/1"
NIM: dict[str, Any] = {"game": "heap_nim", "params": {"heaps": [1, 2, 3]}}
ASK = "/my/games/cup/1/analysis"


def nim(site: Site) -> None:
    """A finished cup of a game that is solved, and somebody of every role."""
    start_cup(site, **NIM)
    settle(site)
    play_cup(site)


def page_of(site: Site, query: str = "") -> str:
    """The game's page, as everybody sees it."""
    answer = site.client.get(PAGE + query)
    assert answer.status_code == 200
    text: str = answer.text
    return text


def _heaps_lost(heaps: list[int]) -> bool:
    """Whether the side to move loses, by the XOR of the heaps, in normal play."""
    found = 0
    for heap in heaps:
        found ^= heap
    return found == 0


def test_a_game_is_analysed_when_somebody_asks(site: Site) -> None:
    """The page says what there is at each step, without scripts; who is not signed in is asked to."""
    nim(site)
    offered = page_of(site)
    assert "Analyse this game" in offered
    nobody = site.client.post(ASK, headers={"origin": "http://testserver"}, follow_redirects=False)
    assert (nobody.status_code, nobody.headers["location"].partition("?")[0]) == (303, "/sign-in")
    looker = sign_in(site, "looker")
    asked = site.client.post(ASK, headers=looker, follow_redirects=False)
    assert (asked.status_code, asked.headers["location"]) == (303, f"{PAGE}#values")
    waiting = page_of(site)
    assert "The game is being analysed." in waiting
    assert 'data-waiting="/api/v1/tournaments/cup/matches/1/analysis"' in waiting
    assert analyse_all(site.world) == 1
    page = page_of(site)
    assert 'class="values"' in page
    assert "Exact value</th>" in page


def test_the_values_are_those_of_the_game(site: Site) -> None:
    """The API tells of each position what the heaps say, and of the losing move that the loser made it."""
    nim(site)
    path = "/tournaments/cup/matches/1/analysis"
    assert site.get(path).status_code == 404
    assert site.post(path).status_code == 401
    asked = site.post(path, "red")
    assert (asked.status_code, asked.json()["state"], asked.headers["retry-after"]) == (202, "pending", "2")
    pending = site.get(path)
    assert (pending.status_code, pending.headers["retry-after"]) == (202, "2")
    analyse_all(site.world)
    assert site.post(path, "blue").json()["state"] == "finished"
    told = site.get(path).json()
    match = site.get("/tournaments/cup/matches/1", None).json()
    moves = [each["move"] for each in match["moves"]]
    heaps = [list(state.heaps) for state in states_of(find_game("heap_nim", NIM["params"]), moves)]
    assert [each["value"] for each in told["positions"]] == [
        "lost" if _heaps_lost(each) else "won" for each in heaps
    ]
    assert told["plies"] == len(moves)
    loser = told["lost"]["seat"]
    assert loser == 1 - match["result"]["winner"]
    judged = [each["judgement"] for each in told["positions"]]
    mistakes = [
        ply for ply, each in enumerate(judged) if each and (each["before"], each["after"]) == ("won", "lost")
    ]
    own = [ply for ply in mistakes if told["positions"][ply - 1]["seat"] == loser]
    assert told["lost"]["ply"] == (own[-1] if own else 0)


def test_a_better_move_is_shown_without_scripts(site: Site) -> None:
    """The links of a position lead to the board with the places of that move marked, and of no other text."""
    nim(site)
    site.post("/tournaments/cup/matches/1/analysis", "red")
    analyse_all(site.world)
    page = page_of(site, "?ply=0")
    told = site.get("/tournaments/cup/matches/1/analysis").json()["positions"][0]
    best = told["best"][0]
    assert 'class="better"' not in page
    shown = page_of(site, f"?ply=0&better={best['move']}")
    assert shown.count('class="better"') == len(best["places"]) > 0
    assert 'class="better"' not in page_of(site, "?ply=0&better=%3Cb%3E")
    here = re.findall(r'<div data-worth="(\d+)">', shown)
    assert here == ["0"]


def test_what_was_given_up_can_be_asked_for_again(site: Site) -> None:
    """The page says so with the button, the API answers 409, and the staff sees why on its page."""
    nim(site)
    path = "/tournaments/cup/matches/1/analysis"
    site.post(path, "red")
    while messages := give_out(site.world, site.world.settings):
        for message in messages:
            report(site.world, leases.lost, message, host="pc", trouble="no room")
    page = page_of(site)
    assert "tried several times and given up" in page
    assert "Analyse this game" in page
    assert "no room" not in page
    assert site.get(path).status_code == 409
    assert "no room" not in site.get(path).text
    listed = site.get("/staff/analyses", "staff").json()["items"]
    assert [(each["tournament"], each["number"], each["trouble"]) for each in listed] == [
        ("cup", 1, "pc: no room")
    ]
    errors = site.client.get("/staff/errors", headers=sign_in(site, "staff")).text
    assert "pc: no room" in errors
    assert site.post(path, "red").json()["state"] == "pending"


def test_a_frozen_game_is_analysed_for_who_sees_it(site: Site) -> None:
    """A team that sees its own matches in a freeze has them analysed on its own page; others find nothing."""
    start_cup(site, **NIM)
    settle(site)
    with site.world.database.transaction() as session:
        freezing.freeze(session, site.world.staff, site.world.get(session), own=True)
    play_cup(site)
    path = "/tournaments/cup/matches/1/analysis"
    before = page_of(site)
    assert site.post(path, "elsewhere").status_code == 404
    red = sign_in(site, "red")
    asked = site.client.post(ASK, headers=red, follow_redirects=False)
    assert asked.headers["location"] == "/my/games/cup/1#values"
    analyse_all(site.world)
    assert 'class="values"' in site.client.get("/my/games/cup/1", headers=red).text
    assert site.get(path, "red").status_code == 200
    assert site.get(path).status_code == 404
    assert site.get(path, "elsewhere").status_code == 404
    assert page_of(site) == before
    assert "Analyse this game" not in before


def test_what_is_not_solved_is_shown_as_estimated(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The API tells each such position as a search for it alone finds it; the page has pale bars."""
    monkeypatch.setattr("engines.solvers.endgame.MAX_EMPTY", 8)
    start_cup(site, game="reversed_reversi", params={"size": 6}, openings=1, opening_plies=4)
    settle(site)
    play_cup(site)
    site.post("/tournaments/cup/matches/1/analysis", "red")
    analyse_all(site.world)
    told = site.get("/tournaments/cup/matches/1/analysis").json()
    seen, first = told["estimated"], told["positions"][0]["ply"]
    match = site.get("/tournaments/cup/matches/1", None).json()
    moves, game = [each["move"] for each in match["moves"]], ReversedReversi(6)
    estimator = find_estimator(game)
    assert [each["ply"] for each in seen["positions"]] == list(range(first))
    costs = {}
    for each, state in zip(seen["positions"], states_of(game, moves), strict=False):
        played = game.move_from_text(moves[each["ply"]])
        found = estimator.estimate(state, seen["depth"], played)
        assert each["seat"] == game.to_move(state)
        assert each["margin"] == -found.value  # the fewest discs win
        assert each["ahead"] == (found.value if each["seat"] == 0 else -found.value)
        chosen = each["ply"] >= 4 and len(game.legal_moves(state)) > 1
        assert each["points"] == (found.value - found.played if chosen else None)
        costs[each["ply"] + 1] = each["points"] or 0
    page = page_of(site, f"?ply={first - 1}")
    assert "Exact values and estimates" in page
    assert page.count(" guessed") == first
    assert page.count("data-worth=") == len(moves) + 1
    costliest = max(costs, key=lambda ply: costs[ply])
    assert seen["costliest"]["ply"] == costliest
    assert f"{costs[costliest]:.1f} points." in " ".join(page.split())
    assert page.count("points worse") >= sum(cost >= 1 for cost in costs.values()) > 0
    best = seen["positions"][-1]["best"]
    better = page_of(site, f"?ply={first - 1}&better={best['move']}")
    assert better.count('class="better"') == len(best["places"]) > 0


def test_a_game_that_ended_early_is_estimated_whole(site: Site) -> None:
    """Who forfeits after six plies learns who was ahead, and since when the other side was behind."""
    start_cup(site, game="reversed_reversi", params={"size": 8}, openings=1, opening_plies=4)
    settle(site)
    with site.world.database.transaction() as session:
        (message, *_) = issue_matches(session, site.world.settings)
    assert site.world.record(message, play(message.spec, forfeits=(0,))) == "taken"
    site.post("/tournaments/cup/matches/1/analysis", "red")
    analyse_all(site.world)
    seen = site.get("/tournaments/cup/matches/1/analysis").json()["estimated"]
    last = seen["positions"][-1]
    assert [each["ply"] for each in seen["positions"]] == list(range(7))
    assert last["points"] is None
    assert seen["behind"] is None or (last["ahead"] > 0) == (seen["behind"]["seat"] == 1)
    page = page_of(site)
    assert "Nothing of this game is solved" in page
    assert page.count(" guessed") == 7
    assert ("By these estimates" in page) == (seen["behind"] is not None)


def test_an_analysis_that_is_made_again_is_shown_anew(site: Site) -> None:
    """Who has not looked meanwhile sees the new one, though the state is what it was: page and API alike."""
    nim(site)
    path = "/tournaments/cup/matches/1/analysis"
    site.post(path, "red")
    analyse_all(site.world)
    before, page = site.get(path), page_of(site)
    with site.world.database.transaction() as session:
        (row,) = session.scalars(select(Analysis))
        row.release(MatchState.PENDING)
    (message,) = give_out(site.world, site.world.settings)
    told = judged(message)
    told["values"], told["first"] = told["values"][1:], told["first"] + 1
    assert report(site.world, leases.record, message, report=told) == Verdict.TAKEN
    after = site.get(path)
    assert len(after.json()["positions"]) == len(before.json()["positions"]) - 1
    assert after.headers["etag"] != before.headers["etag"]
    assert page_of(site) != page
