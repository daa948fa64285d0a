"""Positions of matches and of any moves, as they are drawn."""

from __future__ import annotations

from arena.schemas.positions import MAX_POSITIONS
from tests.integration.arena.site import Site, play_cup, site, start_cup

__all__ = ["site"]

MATCH = "/tournaments/cup/matches/1"


def test_a_match_is_told_position_by_position(site: Site) -> None:
    """Before it is played there is its opening; after it, each position with its move, and how it ended."""
    start_cup(site)
    opening = site.get(MATCH).json()["opening"]
    assert site.get(MATCH + "/positions").json()["plies"] == len(opening)
    play_cup(site)
    told = site.get(MATCH + "/positions").json()
    moves = [each["move"] for each in site.get(MATCH).json()["moves"]]
    assert [each["last"] for each in told["positions"]] == [None, *moves]
    assert [each["ply"] for each in told["positions"]] == list(range(told["plies"] + 1))
    assert told["positions"][-1]["over"]["reason"] == site.get(MATCH).json()["result"]["reason"]
    assert all(each["legal"] is None for each in told["positions"])
    names = {place["name"] for place in told["scene"]["board"]["places"]}
    assert all(names >= {*each["picture"]["pieces"], *each["begins"]} for each in told["positions"])
    rest = site.get(MATCH + "/positions?first=3").json()
    assert rest["positions"] == told["positions"][3:]


def test_any_moves_of_a_game_are_told(site: Site) -> None:
    """They are played from the first position, with the parameters given."""
    told = site.get('/games/heap_nim/positions?params={"heaps":[1,2,3]}&moves=3:2,1:1').json()
    assert [each["state"]["heaps"] for each in told["positions"]] == [[1, 2, 3], [1, 2, 1], [0, 2, 1]]


def test_so_many_at_once(site: Site) -> None:
    """A long game is told in parts of a bounded size."""
    moves = ",".join(["1:1"] * 500 + ["2:1"] * 100)
    first = site.get(f'/games/heap_nim/positions?params={{"heaps":[500,500,1]}}&moves={moves}').json()
    assert (first["plies"], len(first["positions"])) == (600, MAX_POSITIONS)
    rest = site.get(
        f'/games/heap_nim/positions?params={{"heaps":[500,500,1]}}&moves={moves}&first={MAX_POSITIONS}'
    ).json()
    assert len(first["positions"]) + len(rest["positions"]) == 601


def test_what_cannot_be_played_is_refused(site: Site) -> None:
    """An unknown game, parameters of another kind and moves that are not allowed are named in a sentence."""
    for address, status, told in (
        ("/games/nothing/positions", 404, "no game 'nothing'"),
        ("/games/heap_nim/positions?params=3", 422, "params must be a JSON object"),
        ("/games/heap_nim/positions?params={", 422, "params must be a JSON object"),
        ('/games/heap_nim/positions?params={"rows":3}', 422, "no parameter 'rows'"),
        ("/games/heap_nim/positions?moves=9:1", 422, "'9:1' is not a move"),
        ("/games/heap_nim/positions?moves=1:4", 422, "takes 4 from a heap that holds 3"),
    ):
        answer = site.get(address)
        assert (answer.status_code, told in answer.json()["detail"]) == (status, True), answer.text
