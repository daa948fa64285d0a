"""How well bots have moved in a tournament: the same as at home, from the analyses that are there by now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.coordinator import leases, reviews
from arena.coordinator.leases import Verdict
from arena.core.errors import ForbiddenError
from arena.core.terms import MatchState
from arena.local.accuracy import report as report_at_home
from arena.local.annotating import annotate
from arena.local.annotations import annotation_file
from arena.people import users
from arena.store.models import Analysis
from arena.tournaments import amendments, analyses, freezing, matches
from engines.game import Seat
from engines.solvers.endgame_limits import ESTIMATE_DEPTH
from tests.integration.arena.reviewing import analyse_all, give_out, judged, report
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.world import issue_matches, play

SIX: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 6}, "openings": 3, "opening_plies": 4}
SOLVED = 8
"""Empty squares of positions of it that are solved here: fewer than elsewhere, so that it takes no time."""
SMALL: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 4}, "openings": 3, "opening_plies": 2}
NIM: dict[str, Any] = {"game": "heap_nim", "params": {"heaps": [1, 2, 3]}}
FIRST: tuple[Seat, ...] = (0,)
PATH = "/tournaments/cup/accuracy"
PAGE = "/tournaments/cup/accuracy"


def play_differently(site: Site) -> int:
    """Play what waits, each game differently: one is resigned, one forfeited; how many there were."""
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for number, message in enumerate(messages):
        resigns, forfeits = number == 1, FIRST[: number == 2]
        result = play(message.spec, seed=number, forfeits=forfeits, resigns=resigns)
        assert site.world.record(message, result) == "taken"
    return len(messages)


def ask(site: Site, *numbers: int) -> None:
    """Ask for the analyses of these matches."""
    for number in numbers:
        assert site.post(f"/tournaments/cup/matches/{number}/analysis", "staff").status_code == 202


def analyse_as_before(site: Site) -> None:
    """Have the first match analysed by a worker of before, which tells no stakes."""
    ask(site, 1)
    (message,) = give_out(site.world, site.world.settings)
    old = judged(message)
    for value in old["values"]:
        del value["stake"]
    assert report(site.world, leases.record, message, report=old) == Verdict.TAKEN


def at_home(site: Site, folder: Path) -> dict[str, Any]:
    """What `arena match annotate` tells of the games that the arena exports."""
    record, kept = folder / "games.jsonl", folder / "games.annotated.jsonl"
    record.write_bytes(site.get("/tournaments/cup/export?format=jsonl", "staff").content)
    with annotation_file(kept) as file:
        done = annotate(record, file, depth=ESTIMATE_DEPTH, jobs=1, advance=lambda: None)
    return report_at_home(record, kept, done.unsolved, ESTIMATE_DEPTH)


@pytest.fixture
def few_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most positions of a game on 6 by 6 squares are estimated."""
    monkeypatch.setattr("engines.solvers.endgame.MAX_EMPTY", SOLVED)


@pytest.mark.usefixtures("few_solved")
@pytest.mark.parametrize(
    "plan", [SMALL, SIX, NIM, {"game": "l_game", "params": {}}], ids=["four", "six", "nim", "l_game"]
)
def test_the_arena_tells_what_is_told_at_home(site: Site, plan: dict[str, Any], tmp_path: Path) -> None:
    """Of the same games every figure of every bot is that of `arena match annotate`, whole and by stage."""
    start_cup(site, **plan)
    games = play_differently(site)
    ask(site, *range(1, games + 1))
    assert analyse_all(site.world) == games
    told, home = site.get(PATH).json(), at_home(site, tmp_path)
    assert told["bots"] == home["bots"]
    assert told["depth"] == (ESTIMATE_DEPTH if plan["game"] == "reversed_reversi" else 0)
    guesses = sum(bot["estimated"]["moves"] for bot in told["bots"])
    assert (guesses > 0) == (plan["game"] == "reversed_reversi")
    assert (told["games"], told["analysed"], told["unsolved"]) == (games, home["games"], 0)
    assert told["broken_off"] == home["broken_off"] == min(2, games - 1)
    assert sum(bot["choices"] for bot in told["bots"]) > 0


@pytest.mark.usefixtures("few_solved")
def test_estimates_of_other_weights_are_in_no_figure(site: Site) -> None:
    """What a worker with other weights has estimated is shown with its game, and not mixed with the rest."""
    start_cup(site, **SIX)
    play_differently(site)
    ask(site, 1)
    (message,) = give_out(site.world, site.world.settings)
    other = judged(message)
    other["estimates"]["by"] = "0-another"
    assert report(site.world, leases.record, message, report=other) == Verdict.TAKEN
    assert site.get("/tournaments/cup/matches/1/analysis").json()["estimated"]["by"] == "0-another"
    first = site.get(PATH).json()
    assert (first["analysed"], {bot["estimated"]["moves"] for bot in first["bots"]}) == (1, {0})
    assert "By estimates" not in site.client.get(PAGE).text
    ask(site, 2)
    assert analyse_all(site.world) == 1
    second = site.get(PATH).json()
    assert {bot["estimated"]["games"] for bot in second["bots"]} == {1}
    page = site.client.get(PAGE).text.split("By estimates", 1)[1]
    for bot in second["bots"]:
        line = page.split(f'<th scope="row">{bot["bot"]}</th>', 1)[1].split("</tr>")[0]
        assert f"{bot['estimated']['points']:.3f}" in line
        assert f">{bot['estimated']['moves']}<" in line


def test_each_analysis_is_told_at_once(site: Site) -> None:
    """What is kept of an answer is told no more when one more game is analysed."""
    start_cup(site, **NIM)
    play_differently(site)
    seen = []
    for number in (0, 1, 2):
        if number:
            ask(site, number)
            analyse_all(site.world)
        for _ in range(2):
            told, page = site.get(PATH).json(), site.client.get(PAGE).text
            assert (told["games"], told["analysed"]) == (2, number)
            assert f"Analysed games: {number} of 2." in page
        assert site.get(PATH, "staff").json() == told
        seen.append(sum(bot["moves"] for bot in told["bots"]))
    assert 0 == seen[0] < seen[1] < seen[2]


def test_an_analysis_that_is_made_again_is_told_anew(site: Site) -> None:
    """As many games are judged as before, and still no answer from before is told, or taken for the same."""
    start_cup(site, **NIM)
    play_differently(site)
    ask(site, 1)
    analyse_all(site.world)
    before = site.get(PATH)
    with site.world.database.transaction() as session:
        (row,) = session.scalars(select(Analysis))
        row.release(MatchState.PENDING)
    (message,) = give_out(site.world, site.world.settings)
    told = judged(message)
    told["values"] = told["values"][1:]
    told["first"] += 1
    assert report(site.world, leases.record, message, report=told) == Verdict.TAKEN
    after = site.get(PATH)
    assert after.json()["analysed"] == before.json()["analysed"] == 1
    moves = [sum(bot["moves"] for bot in each.json()["bots"]) for each in (before, after)]
    assert moves[1] == moves[0] - 1
    assert after.headers["etag"] != before.headers["etag"]


def test_what_was_played_again_counts_no_more(site: Site) -> None:
    """The analysis of a result that was replaced is in no figure, and the new one is once it is there."""
    start_cup(site, **NIM)
    play_differently(site)
    ask(site, 1, 2)
    analyse_all(site.world)
    with site.world.database.transaction() as session:
        match = matches.get(session, site.world.get(session), 1)
        amendments.rerun(session, site.world.staff, match, "power cut")
    assert site.get(PATH).json()["analysed"] == 1
    play_differently(site)
    assert site.get(PATH).json()["analysed"] == 1
    ask(site, 1)
    analyse_all(site.world)
    assert site.get(PATH).json()["analysed"] == 2


def test_without_what_was_at_stake_nothing_is_told(site: Site) -> None:
    """What a worker of before reports is kept and shown with its game, and is in no figure."""
    start_cup(site, **NIM)
    play_differently(site)
    analyse_as_before(site)
    told = site.get("/tournaments/cup/matches/1/analysis").json()
    assert {each["judgement"]["choice"] for each in told["positions"] if each["judgement"]} == {None}
    assert site.get(PATH).json()["analysed"] == 0


def test_what_says_no_stakes_is_made_again(site: Site) -> None:
    """It is counted and shown until then, whoever asks for all; what was given up is tried again, too."""
    start_cup(site, **NIM)
    play_differently(site)
    analyse_as_before(site)
    shown = site.get("/tournaments/cup/matches/1/analysis").json()
    replay = site.client.get("/tournaments/cup/matches/1").text
    staff = sign_in(site, "staff")
    with site.world.database.transaction() as session:
        site.world.get(session).analysed_for = site.world.staff.id
    page = site.client.get("/manage/cup", headers=staff).text
    assert "By older workers, and in no figure: 1." in page
    assert "Analyse these again" in page
    left = site.post("/tournaments/cup/analyses", "staff").json()
    assert left == {"ordered": True, "left": 2, "given_up": 0, "without_stakes": 0}
    assert site.get("/tournaments/cup/matches/1/analysis").json() == shown
    assert site.client.get("/tournaments/cup/matches/1").text == replay
    with site.world.database.transaction() as session:
        (row,) = session.scalars(select(Analysis))
        row.state = MatchState.PARKED
    assert site.get("/tournaments/cup/analyses", "staff").json()["given_up"] == 1
    assert site.post("/tournaments/cup/analyses", "staff").json()["left"] == 2
    reviews.WORK.rest()  # what it knows is of another test's database
    assert analyse_all(site.world) == 2
    assert site.get(PATH).json()["analysed"] == 2


def test_who_runs_a_tournament_asks_in_vain_where_nothing_is_analysed(site: Site) -> None:
    """The button's refusal is that of a single game; for the administrator it is made all the same."""
    start_cup(site, **NIM)
    settle(site)
    with site.world.database.transaction() as session:
        cup, teacher = site.world.get(session), users.get(session, "teacher")
        with pytest.raises(ForbiddenError, match="no games are analysed"):
            analyses.ask_all(session, teacher, cup, 0)
        assert cup.analysed_for is None
        analyses.ask_all(session, site.world.staff, cup, 0)
        assert cup.analysed_for == site.world.staff.id


def test_a_game_without_a_move_counts_nowhere(site: Site, tmp_path: Path) -> None:
    """A bot that failed before its first move: neither here nor at home is that a game to be analysed."""
    start_cup(site, **NIM)
    with site.world.database.transaction() as session:
        first, second = issue_matches(session, site.world.settings)
    assert site.world.record(first, play(first.spec)) == "taken"
    nothing = play(second.spec, forfeits=FIRST)
    nothing = nothing.model_copy(update={"moves": ()})
    assert site.world.record(second, nothing) == "taken"
    ask(site, 1)
    analyse_all(site.world)
    told, home = site.get(PATH).json(), at_home(site, tmp_path)
    assert (told["games"], told["analysed"], told["broken_off"]) == (1, 1, 0)
    assert (home["games"], home["broken_off"]) == (1, 0)


def test_what_no_solver_knows_is_counted_apart(site: Site) -> None:
    """A game that cannot be judged is in no figure, and the page says how many these are."""
    start_cup(site, game="reversed_reversi", params={"size": 10})
    play_differently(site)
    ask(site, 1, 2)
    analyse_all(site.world)
    told = site.get(PATH).json()
    assert (told["analysed"], told["unsolved"]) == (0, 2)
    assert {bot["moves"] for bot in told["bots"]} == {0}
    assert "No solver knows 2 others." in site.client.get(PAGE).text


def test_a_freeze_hides_what_is_analysed(site: Site) -> None:
    """The staff sees every analysis; others none, not even of games that were public before, nor how many."""
    start_cup(site, **NIM, options={"cycles": 2})
    world = site.world
    settings = world.settings.model_copy(update={"window": 1})
    with world.database.transaction() as session:
        (first,) = issue_matches(session, settings)
    world.record(first, play(first.spec))
    ask(site, 1)
    analyse_all(world)
    assert site.get(PATH).json()["analysed"] == 1
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=True)
    before = site.get(PATH)
    page = site.client.get(PAGE).text
    assert (before.json()["analysed"], before.json()["games"]) == (0, 1)
    games = play_differently(site)
    ask(site, *range(1, games + 2))
    analyse_all(world)
    assert site.get(PATH, "staff").json()["analysed"] == games + 1
    for who in (None, "red"):
        after = site.get(PATH, who)
        assert (after.json(), after.headers["etag"].removeprefix("W/")) == (
            before.json(),
            before.headers["etag"].removeprefix("W/"),
        )
    assert site.client.get(PAGE).text == page
    with world.database.transaction() as session:
        freezing.reveal(session, world.staff, world.get(session))
    assert site.get(PATH).json()["analysed"] == games + 1


def test_the_page_shows_what_the_api_tells(site: Site) -> None:
    """Every bot's line has its accuracy, blunders and mean loss, in both languages."""
    start_cup(site, **SMALL)
    games = play_differently(site)
    ask(site, *range(1, games + 1))
    analyse_all(site.world)
    told = site.get(PATH).json()
    english, chinese = (
        site.client.get(PAGE, headers={"Accept-Language": tag}).text for tag in ("en", "zh-TW")
    )
    for bot in told["bots"]:
        for page in (english, chinese):
            line = page.split(f'/tournaments/cup/bots/{bot["bot"]}">', 1)[1].split("</tr>")[0]
            assert f"{100 * bot['accuracy']:.1f} %" in line
            assert f"{bot['loss']:.3f}" in line
            assert f"{bot['points']:.3f}" in line
            assert f">{bot['blunders']}<" in line
    assert "Accuracy" in english
    assert "準確率" in chinese
    assert "Stages are without 2 games" in english


def test_the_staff_has_all_games_analysed_on_a_page(site: Site) -> None:
    """A button asks for all, then the page says how many are left; without a solver there is none."""
    start_cup(site, **NIM)
    play_differently(site)
    staff = sign_in(site, "staff")
    assert "Analyse all games" in site.client.get("/manage/cup", headers=staff).text
    asked = site.client.post("/manage/cup/analyses", headers=staff, follow_redirects=False)
    assert asked.headers["location"] == "/manage/cup#analyses"
    assert "Still to be analysed: 2." in site.client.get("/manage/cup", headers=staff).text
    reviews.WORK.rest()  # what it knows is of another test's database
    assert analyse_all(site.world) == 2
    page = site.client.get("/manage/cup", headers=staff).text
    assert "Still to be analysed: 0." in page
    assert "Analyse all games" not in page
    left = {"ordered": True, "left": 0, "given_up": 0, "without_stakes": 0}
    assert site.get("/tournaments/cup/analyses", "staff").json() == left
    assert site.get(PATH).json()["analysed"] == 2
    stopped = site.client.post("/manage/cup/analyses/stop", headers=staff, follow_redirects=False)
    assert stopped.headers["location"] == "/manage/cup#analyses"
    assert "Analyse all games" in site.client.get("/manage/cup", headers=staff).text
    assert site.get("/tournaments/cup/analyses", "staff").json() == {**left, "ordered": False}
    with site.world.database.transaction() as session:
        site.world.get(session).game_version += 1
    assert "#analyses" not in site.client.get("/manage/cup", headers=staff).text
    refused = site.client.post("/manage/cup/analyses", headers=staff)
    assert refused.status_code == 409
    assert "no solver" in refused.text
