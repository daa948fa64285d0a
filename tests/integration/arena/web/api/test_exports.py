"""Exports through the API: what other programs are told of a tournament, and what they are refused."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from sqlalchemy import select

from arena.interchange import ggf, pgn, trf
from arena.interchange.trf_tournament import tournament_of
from arena.store.models import Result
from arena.tournaments import lifecycle
from engines.game import play_all
from engines.games import find_game
from tests.integration.arena.site import PLAN, Site, play_cup, start_cup
from tests.integration.arena.world import issue_matches, play


def _export(site: Site, form: str, name: str = "cup") -> str:
    answer = site.get(f"/tournaments/{name}/export?format={form}")
    assert answer.status_code == 200
    marked = answer.content.startswith(b"\xef\xbb\xbf")
    assert marked == (form == "csv")
    text: str = answer.content.decode("utf-8-sig")
    return text


def _records(site: Site) -> list[Any]:
    return [site.get(f"/tournaments/cup/matches/{number}/record").json() for number in (1, 2)]


def test_csv_tells_of_every_match_and_holds_no_formula(site: Site) -> None:
    """Rows have the heading's columns, with owners, kinds and times of recording at their ends."""
    start_cup(site)
    play_cup(site)
    rows = list(csv.DictReader(io.StringIO(_export(site, "csv"), newline="")))
    assert [(row["first"], row["first_owner"], row["second_owner"]) for row in rows] == [
        ("red", "red", "blue"),
        ("blue", "blue", "red"),
    ]
    assert {row["kind"] for row in rows} == {"played"}
    assert all(row["recorded_at"].startswith("20") and row["phase"] == "" for row in rows)


def test_pgn_has_the_results(site: Site) -> None:
    """Every game is a set of tags with the title, its players in their seats, its round, date and result."""
    start_cup(site, title='The "Cup" 決賽 <b>')
    play_cup(site)
    games = list(pgn.read(_export(site, "pgn")))
    assert [(game.white, game.black, game.round) for game in games] == [
        ("red", "blue", "1"),
        ("blue", "red", "2"),
    ]
    for game, record in zip(games, _records(site), strict=True):
        assert game.result == {0: "1-0", 1: "0-1", None: "1/2-1/2"}[record["result"]["winner"]]
        assert (game.event, game.termination) == ('The "Cup" 決賽 <b>', "")
        assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", game.date)


def test_pgn_tells_forfeits_and_leaves_double_ones_open(site: Site) -> None:
    """A forfeit at the board is a loss with its termination; a game that both forfeited has no result."""
    start_cup(site)
    with site.world.database.transaction() as session:
        first, second = issue_matches(session, site.world.settings)
    site.world.record(first, play(first.spec, forfeits=[0]))
    site.world.record(second, play(second.spec, forfeits=[0, 1]))
    one, both = pgn.read(_export(site, "pgn"))
    assert (one.result, one.termination) == ("0-1", "rules infraction")
    assert (both.result, both.termination) == ("*", "rules infraction")
    unknown = list(ggf.read(_export(site, "ggf")))[1]
    assert (unknown.result, unknown.flag) == (None, "")
    assert "both lose (crash)" in _export(site, "transcripts")


def test_ggf_can_be_replayed_to_the_same_end(site: Site) -> None:
    """The moves of a game lead from its board to its result, as Black sees it in the anti variant."""
    start_cup(site, openings=1, opening_plies=2)
    play_cup(site)
    rules = find_game("reversed_reversi", {"size": 4})
    games = list(ggf.read(_export(site, "ggf")))
    assert len(games) == 4
    for game in games:
        outcome = rules.outcome(play_all(rules, [move.move for move in game.moves]))
        assert outcome is not None
        assert game.result == outcome.score[1] - outcome.score[0]
        assert (game.size, game.anti, game.board, game.to_move) == (4, True, "-----*O--O*-----", "*")
        assert [move.seconds is None for move in game.moves[:3]] == [True, True, False]
        assert {game.black, game.white} == {"red", "blue"}


def test_transcripts_tell_all_moves(site: Site) -> None:
    """The plies of a transcript are those of the record, in their order and by their sides."""
    start_cup(site, openings=1, opening_plies=2)
    play_cup(site)
    whole = _export(site, "transcripts")
    texts = whole.strip().split("\n\n")
    assert len(texts) == 4
    for text, record in zip(texts[:2], _records(site), strict=True):
        plies = re.findall(r"(\d+)\.([12]):(\w+)", text)
        moves = record["result"]["moves"]
        assert [(int(ply) - 1, int(seat) - 1, move) for ply, seat, move in plies] == [
            (move["ply"], move["seat"], move["move"]) for move in moves
        ]
        assert text.count("[") == sum(not move["asked"] for move in moves)
        assert record["result"]["reason"] in text.splitlines()[-1]


@pytest.mark.parametrize("form", ["round_robin", "double_round_robin"])
def test_trf_tells_round_robins(site: Site, form: str) -> None:
    """Points and meetings in the report are those of the tournament, with its title, dates and rounds."""
    start_cup(site, format=form, title="Cup 決賽")
    play_cup(site)
    text = _export(site, "trf")
    report = trf.read(text)
    told = tournament_of(report)
    rounds = 1 if form == "round_robin" else 2
    assert (told.played, told.rounds, report.name, len(told.meetings)) == (rounds, rounds, "Cup 決賽", rounds)
    board = {line["bot"]: line for line in site.get("/tournaments/cup/leaderboard").json()["items"]}
    for player in report.players:
        line = board[player.name]
        assert (player.half_points, player.rank) == (2 * line["points"], line["rank"])


def test_games_that_were_not_played(site: Site) -> None:
    """Who left has forfeited what it did not play: in the table and the report, and no game for ratings."""
    start_cup(site)
    answer = site.post("/tournaments/cup/entries/red/withdraw", "staff", json={"reason": "ill"})
    assert answer.status_code == 200
    rows = list(csv.DictReader(io.StringIO(_export(site, "csv"), newline="")))
    assert {(row["kind"], row["winner"], row["reason"]) for row in rows} == {("forfeit", "blue", "withdrawn")}
    assert [_export(site, form) for form in ("pgn", "ggf", "transcripts")] == [""] * 3
    assert len(_export(site, "jsonl").splitlines()) == 2
    report = trf.read(_export(site, "trf"))
    assert [[cell.result for cell in player.cells] for player in report.players] == [["-", "-"], ["+", "+"]]
    told = site.get("/tournaments/cup/report?reference=blue", "staff").json()["items"]
    assert [(line["left_as"], line["forfeits"], line["losses"]) for line in told] == [
        ("withdrawn", {"walkover": 2}, 2)
    ]


def test_a_game_is_told_whatever_its_host_is_called(site: Site) -> None:
    """What a worker reported is a game, even where its host had no name; what the staff decided is none."""
    start_cup(site)
    play_cup(site)
    with site.world.database.transaction() as session:
        for result in session.scalars(select(Result)):
            result.host = ""
    assert re.findall(r"match (\d)", _export(site, "transcripts")) == ["1", "2"]
    decision = {"winner": "draw", "reason": "the lights went out"}
    assert site.post("/tournaments/cup/matches/2/result", "staff", json=decision).status_code == 200
    assert re.findall(r"match (\d)", _export(site, "transcripts")) == ["1"]


def test_a_draft_can_be_exported(site: Site) -> None:
    """Before anybody is entered every format is there, with nothing in it but its heading."""
    site.post("/tournaments", "staff", json=PLAN | {"name": "cup", "format": "swiss_dutch"})
    told = {form: _export(site, form) for form in ("csv", "jsonl", "pgn", "ggf", "trf", "transcripts")}
    assert told["csv"].count("\n") == 1
    assert [told[form] for form in ("jsonl", "pgn", "ggf", "transcripts")] == [""] * 4
    assert "XXR" not in told["trf"]
    assert told["trf"].startswith("012 cup")


def test_what_a_format_cannot_tell_is_a_conflict(site: Site) -> None:
    """GGF of another game or board, and a TRF of a bracket, are refused before anything is sent."""
    start_cup(site, "wide", params={"size": 6, "rows": 4})
    answer = site.get("/tournaments/wide/export?format=ggf")
    assert (answer.status_code, "square boards only" in answer.json()["detail"]) == (409, True)
    start_cup(site, "nim", game="heap_nim", params={})
    answer = site.get("/tournaments/nim/export?format=ggf")
    assert (answer.status_code, "GGF tells of Reversi" in answer.json()["detail"]) == (409, True)
    with site.world.database.transaction() as session:
        lifecycle.get(session, "nim").format = "knockout"
    answer = site.get("/tournaments/nim/export?format=trf")
    assert (answer.status_code, "Swiss and round robin" in answer.json()["detail"]) == (409, True)


def test_an_export_is_read_a_few_matches_at_a_time(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many matches there are, each comes once and in order, from batch to batch."""
    monkeypatch.setattr("arena.store.exports.BATCH", 3)
    start_cup(site, openings=4, opening_plies=3)
    play_cup(site)
    rows = list(csv.DictReader(io.StringIO(_export(site, "csv"), newline="")))
    assert [int(row["number"]) for row in rows] == list(range(1, 17))
    assert len(list(pgn.read(_export(site, "pgn")))) == sum(row["state"] == "finished" for row in rows)
