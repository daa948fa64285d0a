"""The Reversed Reversi section: the opening, the results' form, and the group's program at play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.documents.inventory import Standing
from arena.reproduction import reversed_reversi, reversi_facts, reversi_matches
from arena.reproduction.findings import Section, Verdict
from arena.reproduction.reversi_matches import Games
from bots.reference import group8
from engines.games.reversed_reversi import ReversedReversi
from tests.integration.arena.reproduction.conftest import FEW, HERE


@pytest.fixture(scope="module")
def section(section_of: Callable[[str], Section]) -> Section:
    """The section from few games."""
    return section_of("reversed_reversi")


def test_progress_is_told_as_often_as_announced() -> None:
    """As many steps are told as `steps` has announced."""
    done: list[None] = []
    few = replace(FEW, reversi_games=2)
    reversed_reversi.reproduce(few, HERE, lambda: done.append(None))
    assert len(done) == reversi_matches.steps(few)


def test_seats_are_judged_from_many_games_with_an_interval(section: Section) -> None:
    """The comment tells rate and interval of either seat, and how many games they come from."""
    told = next(comment.words.en for comment in section.comments if "games a seat" in comment.words.en)
    assert "20 games a seat: as X it won" in told
    assert told.count("95 % interval") == 2
    games = Games(0, 4, 1, 2, 30.0)
    assert (games.rate, round(games.high - games.rate, 3)) == (0.5, 0.346)


def test_the_opening_is_ours_and_its_example_is_not_in_it(section: Section) -> None:
    """Discs and playable squares agree; the example move and both places contradict the document itself."""
    found = {each.key: each.verdict for each in section.comparisons()}
    assert found["opening/playable"] is Verdict.EXACT
    slips = [key for key, verdict in found.items() if verdict is Verdict.SLIP]
    assert slips == ["opening/example", "results/1/place", "results/2/place"]
    assert not any(verdict is Verdict.DIFFERS for verdict in found.values())


def test_our_matches_stand_in_the_form_of_the_class(section: Section) -> None:
    """Four matches: discs of both sides, times in seconds, and the side with fewer discs placed first."""
    results = next(exhibit for exhibit in section.exhibits if exhibit.key == "results")
    assert results.ours is not None
    assert results.document is not None
    assert [row[0] for row in results.ours.rows] == [row[0] for row in results.document.rows]
    discs, times, places = (row[1:] for row in results.ours.rows)
    assert all(time.endswith("s") and float(time[:-1]) >= 0 for time in times)
    for at in range(0, 8, 2):
        first, second = int(discs[at]), int(discs[at + 1])
        expected = ("並列", "並列") if first == second else ("第一名", "第二名")
        assert places[at : at + 2] == (expected if first <= second else expected[::-1])


def test_squares_follow_the_array_row_by_row() -> None:
    """Row 2, column 4 of the document's array is e3."""
    assert reversed_reversi.square(2, 4) == "e3"


@pytest.mark.parametrize(
    ("depth", "judged"), [(3, (108, 94)), (4, (312, 280)), (group8.DEPTH, (840, 696))], ids=str
)
def test_boards_are_counted_as_the_printed_program_judges_them(depth: int, judged: tuple[int, int]) -> None:
    """So many without pruning and with it, as that program counts; its move and score are the bot's."""
    start = ReversedReversi().initial()
    plain, pruned = (reversi_facts.searched(depth, pruned=each) for each in (False, True))
    assert (plain.judged, pruned.judged) == judged
    assert plain[:2] == pruned[:2] == group8.best_move(start.own, start.opp, is_x=True, depth=depth)


@pytest.mark.long
def test_all_weights_are_compared_and_the_score_is_one_sided(
    monkeypatch: pytest.MonkeyPatch, section: Section
) -> None:
    """The table is the printed one; opponent minus own it is not. One other weight contradicts the table."""

    def standings() -> dict[str, Standing]:
        few = replace(FEW, reversi_games=2)
        made = reversed_reversi.reproduce(few, HERE, lambda: None)
        return {claim.key: row.standing for claim, row in made.claims}

    found = {claim.key: row.standing for claim, row in section.claims}
    assert found["heuristic"] is found["saves-work"] is Standing.REPRODUCED
    assert found["opponent-minus-own"] is found["sign"] is Standing.CONTRADICTED
    monkeypatch.setattr(group8, "_weight", group8._weight.__wrapped__)  # it keeps sums for later tests
    monkeypatch.setattr(group8, "WEIGHTS", (*group8.WEIGHTS[:37], -3, *group8.WEIGHTS[38:]))
    assert standings()["heuristic"] is Standing.CONTRADICTED
