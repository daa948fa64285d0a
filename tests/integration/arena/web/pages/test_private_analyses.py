"""Exact values of games that people play and of scrimmages: for who sees these games, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from arena.coordinator import leases, scrimmages
from arena.coordinator.leases import Attempt, Verdict
from arena.people import classes, users
from arena.submissions import versions
from tests.integration.arena.reviewing import analyse_all, give_out, report
from tests.integration.arena.roles import CLASS, settle, sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.world import play, taken

NIM: dict[str, Any] = {"game": "heap_nim", "params": {"heaps": [1, 2, 3]}}
WISH = {**NIM, "seats": [None, None]}
MOVES = ("1:1", "3:1", "2:2", "3:2")
"""The second side wins, as it must: the heaps come to nothing by XOR."""


@pytest.fixture
def hall(site: Site) -> Site:
    """A site with somebody of every role, and a host that plays."""
    start_cup(site, **NIM)
    settle(site)
    return site


def _played(site: Site, user: str | None = "red") -> str:
    """A game that was played to its end; where the API has it."""
    here = f"/play/games/{site.post('/play/games', user, json=WISH).json()['address']}"
    for ply, move in enumerate(MOVES):
        told = site.post(f"{here}/moves", user, json={"move": move, "ply": ply})
        assert told.status_code == 200, told.text
    assert told.json()["result"] is not None
    return here


def _page(site: Site, path: str, user: str | None = None) -> str:
    answer = site.client.get(path, headers=sign_in(site, user))
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    text: str = answer.text
    return text


def _send(site: Site, path: str, user: str | None) -> tuple[int, str]:
    headers = sign_in(site, user) or {"origin": "http://testserver"}
    answer = site.client.post(path, headers=headers, follow_redirects=False)
    return answer.status_code, answer.headers.get("location", "").partition("?")[0]


def test_who_plays_a_game_has_it_analysed(hall: Site) -> None:
    """When it is over, with an account; its replay then has the values for who knows its address."""
    going = f"/play/games/{hall.post('/play/games', 'red', json=WISH).json()['address']}"
    assert hall.post(f"{going}/analysis", "red").status_code == 409
    assert 'id="values"' not in _page(hall, f"{going}/replay", "red")
    here = _played(hall)
    replay = f"{here}/replay"
    assert "Analyse this game" in _page(hall, replay, "red")
    assert "Analyse this game" not in _page(hall, replay, "blue")
    assert _send(hall, f"{here}/analysis", None) == (303, "/sign-in")
    assert _send(hall, f"{here}/analysis", "blue")[0] == 403
    assert (hall.post(f"{here}/analysis").status_code, hall.get(f"{here}/analysis").status_code) == (401, 404)
    assert _send(hall, f"{here}/analysis", "red") == (303, f"{replay}#values")
    assert 'data-waiting=""' in _page(hall, replay, "red")
    assert hall.get(f"{here}/analysis").status_code == 202
    assert analyse_all(hall.world) == 1
    told = hall.get(f"{here}/analysis").json()
    assert (told["number"], told["plies"]) == (None, len(MOVES))
    assert [each["value"] for each in told["positions"]] == ["lost", "won", "lost", "won", "lost"]
    page = _page(hall, f"{replay}?ply=1&better={told['positions'][1]['best'][0]['move']}", "blue")
    assert 'class="values"' in page
    assert "Exact value</th>" in page
    assert 'class="better"' in page


def test_a_game_that_goes_on_again_has_no_values(hall: Site) -> None:
    """After a move is taken back; played to the same end it needs no second analysis, whoever plays it."""
    here = _played(hall)
    hall.post(f"{here}/analysis", "red")
    analyse_all(hall.world)
    hall.post(f"{here}/undo", "red")
    assert hall.get(f"{here}/analysis").status_code == 409
    assert 'id="values"' not in _page(hall, f"{here}/replay", "red")
    theirs = _played(hall, "blue")
    assert hall.post(f"{theirs}/analysis", "blue").json() == {"number": None, "state": "finished"}
    assert hall.get(f"{theirs}/analysis").json()["plies"] == len(MOVES)


def test_the_staff_sees_that_a_private_game_could_not_be_analysed(hall: Site) -> None:
    """And not whose or which it is; who asks again has it tried again."""
    here = _played(hall)
    hall.post(f"{here}/analysis", "red")
    while messages := give_out(hall.world, hall.world.settings):
        for message in messages:
            assert "red" not in str(message.spec.bots)
            report(hall.world, leases.heartbeat, message, host="test-host")
            workers = _page(hall, "/staff/workers", "staff")
            assert "a private game" in workers
            report(hall.world, leases.lost, message, host="pc", trouble="no room")
    (listed,) = hall.get("/staff/analyses", "staff").json()["items"]
    assert (listed["tournament"], listed["number"], listed["trouble"]) == (None, None, "pc: no room")
    errors = _page(hall, "/staff/errors", "staff")
    assert "a private game" in errors
    assert here not in errors
    assert hall.get(f"{here}/analysis").status_code == 409
    assert "tried several times" in _page(hall, f"{here}/replay", "red")
    assert hall.post(f"{here}/analysis", "red").json()["state"] == "pending"


def _scrimmage(site: Site) -> int:
    """A scrimmage that was played, of `red` against `blue`."""
    world = site.world
    with world.database.transaction() as session:
        users.get(session, "blue").class_id = classes.get(session, CLASS).id
        versions.get(session, "blue").takes_scrimmages = True
    wish = {"bot": "red", "opponent": "blue", "tournament": "cup"}
    asked = site.post("/me/scrimmages", "ruby", json=wish)
    assert asked.status_code == 201, asked.text
    with world.database.transaction() as session:
        messages = leases.issue(scrimmages.WORK, session, world.settings)
    for message in messages:
        about = Attempt((int(message.spec.match),), message.attempt, message.token)
        told = {"report": play(message.spec).model_dump(mode="json")}
        with world.database.transaction() as session:
            verdict = taken(leases.record, scrimmages.WORK, session, about, settings=world.settings, **told)
        assert verdict == Verdict.TAKEN
    return int(asked.json()["id"])


def test_both_teams_of_a_scrimmage_have_its_games_analysed(hall: Site) -> None:
    """By page and API; neither others nor the public find the game or its values."""
    number = _scrimmage(hall)
    here, page = f"/me/scrimmages/{number}/games/1", f"/my/scrimmages/{number}/games/1"
    assert "Analyse this game" in _page(hall, page, "blue")
    assert hall.get(f"{here}/analysis", "blue").status_code == 404
    assert _send(hall, f"{page}/analysis", "elsewhere")[0] == 404
    assert hall.post(f"{here}/analysis", "elsewhere").status_code == 404
    assert _send(hall, f"{page}/analysis", "blue") == (303, f"{page}#values")
    assert 'data-waiting=""' in _page(hall, page, "ruby")
    assert analyse_all(hall.world) == 1
    moves = hall.get(here, "red").json()["moves"]
    told = hall.get(f"{here}/analysis", "red").json()
    assert (told["number"], told["plies"]) == (1, len(moves))
    assert 'class="values"' in _page(hall, page, "ruby")
    assert hall.get(f"{here}/analysis", "elsewhere").status_code == 404
    assert hall.get(f"{here}/analysis").status_code == 401


def test_a_scrimmage_that_was_not_played_is_not_analysed(hall: Site) -> None:
    """There is no game yet."""
    with hall.world.database.transaction() as session:
        users.get(session, "blue").class_id = classes.get(session, CLASS).id
        versions.get(session, "blue").takes_scrimmages = True
    wish = {"bot": "red", "opponent": "blue", "tournament": "cup"}
    number = hall.post("/me/scrimmages", "ruby", json=wish).json()["id"]
    answer = hall.post(f"/me/scrimmages/{number}/games/1/analysis", "red")
    assert answer.status_code == 409
    assert 'id="values"' not in _page(hall, f"/my/scrimmages/{number}/games/1", "red")
