"""Matches through the API: what everybody sees of them, and what only owners and the staff do."""

from __future__ import annotations

import json

import pytest

from arena.coordinator.loop import Coordinator
from arena.store import events
from arena.tournaments import lifecycle
from tests.integration.arena.site import EVIDENCE, Site, park, play_cup, start_cup

MATCHES = "/tournaments/cup/matches"


def test_a_match_with_its_moves(site: Site) -> None:
    """A match shows who sat where, how it ended, and every ply."""
    start_cup(site)
    play_cup(site)
    match = site.get(f"{MATCHES}/1").json()
    assert {seat["bot"] for seat in match["seats"]} == {"red", "blue"}
    assert sum(match["result"]["points"]) == 1
    assert [move["ply"] for move in match["moves"]] == list(range(len(match["moves"])))
    assert sum(move["wall_ns"] for move in match["moves"]) == sum(use["wall_ns"] for use in match["use"])


def test_a_match_to_come(site: Site) -> None:
    """Before its end a match has no result, no moves and no record."""
    start_cup(site)
    match = site.get(f"{MATCHES}/2").json()
    assert (match["state"], match["result"], match["moves"], match["use"]) == ("pending", None, [], [])
    assert site.get(f"{MATCHES}/2/record").status_code == 409


@pytest.mark.parametrize("path", ["/1", "/1/record", "/../export?format=jsonl"])
def test_evidence_is_for_the_owner_and_the_staff(site: Site, path: str) -> None:
    """What a bot wrote reaches its owner and the staff; opponents and the public see seat, code and ply."""
    start_cup(site)
    play_cup(site, forfeit=True)
    address = f"/tournaments/cup/matches{path}".replace("/matches/..", "")
    owner = site.get(f"{MATCHES}/1").json()["seats"][0]["owner"]
    opponent = {"red": "blue", "blue": "red"}[owner]
    texts = {
        user: site.get(address, user).text.partition("\n")[0] for user in (owner, opponent, "staff", None)
    }
    assert EVIDENCE in texts[owner]
    assert EVIDENCE in texts["staff"]
    assert EVIDENCE not in texts[opponent]
    assert EVIDENCE not in texts[None]
    assert '"malformed"' in texts[None]
    assert "worker-7" not in texts[owner] + texts[opponent] + texts[None]


def test_what_everybody_knows_of_a_forfeit(site: Site) -> None:
    """The public gets exactly seat, code and ply; the staff gets the troubles of the match too."""
    start_cup(site)
    play_cup(site, forfeit=True)
    seen = site.get(f"{MATCHES}/1").json()
    assert seen["evidence"] == [{"seat": 0, "code": "malformed", "ply": 2, "evidence": None}]
    assert seen["result"]["forfeits"] == [{"seat": 0, "code": "malformed", "ply": 2}]
    assert all(move["debug"] is None for move in seen["moves"])
    assert seen["staff"] is None
    told = site.get(f"{MATCHES}/1", "staff").json()
    assert told["staff"]["attempt"] == 1
    assert told["evidence"][0]["evidence"]["received"] == EVIDENCE


def test_filters(site: Site) -> None:
    """The list can be narrowed to a state and a bot; what does not exist is named."""
    start_cup(site)
    play_cup(site)
    assert site.get(f"{MATCHES}?state=finished&bot=red").json()["total"] == 2
    assert site.get(f"{MATCHES}?state=parked").json()["total"] == 0
    assert site.get(f"{MATCHES}?bot=nobody").status_code == 404
    assert site.get(f"{MATCHES}?state=odd").status_code == 422


def test_pages_of_a_list(site: Site) -> None:
    """Links lead to the neighbours of a part and keep the filters."""
    start_cup(site)
    answer = site.get(f"{MATCHES}?limit=1&state=pending")
    assert (answer.json()["total"], len(answer.json()["items"])) == (2, 1)
    links = answer.headers["link"]
    assert 'rel="next"' in links
    assert 'rel="prev"' not in links
    following = next(link for link in links.split(", ") if 'rel="next"' in link)
    address = following[1 : following.index(">")]
    assert "state=pending" in address
    assert site.client.get(address).json()["items"][0]["number"] == 2
    assert site.get(f"{MATCHES}?offset=100").json()["items"] == []


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "offset=-1", f"offset={10**30}"])
def test_bad_parts(site: Site, query: str) -> None:
    """A part that cannot be is refused."""
    start_cup(site)
    assert site.get(f"{MATCHES}?{query}").status_code == 422


@pytest.mark.parametrize("number", ["0", "-1", "3", str(2**63), str(10**40), "x", "1.5", "%00"])
def test_bad_numbers(site: Site, number: str) -> None:
    """A number that no match has is not found, or not a number."""
    start_cup(site)
    assert site.get(f"{MATCHES}/{number}").status_code in {404, 422}


def test_retry(site: Site) -> None:
    """The staff, and nobody else, gives a parked match another chance; only a parked one."""
    start_cup(site)
    assert site.post(f"{MATCHES}/1/retry", "staff").status_code == 409
    park(site)
    assert site.post(f"{MATCHES}/1/retry", "red").status_code == 403
    assert site.post(f"{MATCHES}/1/retry").status_code == 401
    assert site.get(f"{MATCHES}/1", "staff").json()["staff"]["trouble"] == "no worker could play it"
    again = site.post(f"{MATCHES}/1/retry", "staff").json()
    assert (again["state"], again["staff"]["trouble"]) == ("pending", None)


def test_drop(site: Site) -> None:
    """The staff, and nobody else, calls a parked match off; the tournament ends, the match in no total."""
    start_cup(site)
    why = {"reason": " both teams agreed "}
    assert site.post(f"{MATCHES}/1/drop", "staff", json=why).status_code == 409
    park(site)
    play_cup(site)
    assert site.post(f"{MATCHES}/1/drop", "red", json=why).status_code == 403
    assert site.post(f"{MATCHES}/1/drop", json=why).status_code == 401
    dropped = site.post(f"{MATCHES}/1/drop", "staff", json=why).json()
    assert (dropped["state"], dropped["result"]) == ("cancelled", None)
    assert dropped["staff"]["trouble"] == "no worker could play it"
    assert site.post(f"{MATCHES}/1/drop", "staff", json=why).status_code == 409
    assert site.post(f"{MATCHES}/1/retry", "staff").status_code == 409
    Coordinator(site.world.database, site.world.broker, site.world.settings).tick()
    assert site.get("/tournaments/cup").json()["state"] == "finished"
    table = site.get("/tournaments/cup/leaderboard").json()
    assert (table["played"], table["matches"]) == (1, 1)
    assert [line["games"] for line in table["items"]] == [1, 1]
    with site.world.database.reading() as session:
        cup = lifecycle.get(session, "cup")
        (event,) = [each for each in events.of_tournament(session, cup) if each.kind == "match.dropped"]
        assert (event.user_id, event.data) == (site.world.staff.id, {"reason": "both teams agreed"})


@pytest.mark.parametrize("reason", ["", " ", "x" * 501, "a\0", "a\nb", "\ud800", None])
def test_a_match_is_dropped_for_a_reason(site: Site, reason: str | None) -> None:
    """Without a reason that can be read later no match is called off."""
    start_cup(site)
    park(site)
    assert site.post(f"{MATCHES}/1/drop", "staff", json={"reason": reason}).status_code == 422
    assert site.get(f"{MATCHES}/1").json()["state"] == "parked"


def test_a_record_can_be_replayed(site: Site) -> None:
    """The record holds the whole spec and every move."""
    start_cup(site)
    play_cup(site)
    record = json.loads(site.get(f"{MATCHES}/1/record").text)
    assert record["spec"]["game"] == {
        "name": "reversed_reversi",
        "params": {"size": 4, "reversed": True},
        "version": 1,
    }
    assert len(record["result"]["moves"]) == len(site.get(f"{MATCHES}/1").json()["moves"])
