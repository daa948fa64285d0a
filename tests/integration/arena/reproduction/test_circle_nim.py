"""The circle-Nim section: from real but few games, and its comments from numbers made for them."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from arena.documents import circle_nim as document
from arena.documents.inventory import Standing
from arena.reproduction import circle_nim, circle_nim_claims, circle_nim_facts, circle_nim_figures
from arena.reproduction.circle_nim import Played
from arena.reproduction.circle_nim_comments import comments
from arena.reproduction.circle_nim_facts import Watched
from arena.reproduction.findings import Section, Verdict
from arena.reproduction.record_sets import Cell, Sets, Where, play_sets
from engines.games.circle_nim import CircleNim, State
from engines.strategies.algorithms import Size
from engines.stream import Stream
from tests.integration.arena.reproduction.conftest import FEW
from workers.simulation.contract import SimulationSpec


@pytest.fixture(scope="module")
def section(played: Played) -> Section:
    """The section that those games make."""
    return circle_nim.section(played)


@pytest.fixture
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sections come without their figures, which take longer than all else."""
    monkeypatch.setattr(circle_nim_figures, "figures", lambda *_: ())


def words(played: Played) -> str:
    """All comments on these numbers in English."""
    made = comments(circle_nim.exhibits(played), played.exact, played.ceiling, played.sets)
    return "\n".join(comment.words.en for comment in made)


def test_random_play_with_three_rows_is_won_by_a_known_fraction(played: Played) -> None:
    """The side that begins wins 11381 of 28350, and more with every further row but never half."""
    assert played.exact[3] == pytest.approx(float(Fraction(11381, 28350)))
    chances = list(played.exact.values())
    assert chances == sorted(chances)
    assert chances[-1] < 0.5


def test_the_section_has_every_table_and_figure(section: Section) -> None:
    """Tables 1 to 11 with their comparisons, figures 1, 2, 4 and 5 to 13, and the two slips of table 1."""
    assert [exhibit.key for exhibit in section.exhibits] == ["choices", *(f"table-{n}" for n in range(1, 12))]
    assert [figure.key for figure in section.figures] == [f"figure-{n}" for n in (1, 2, 4, *range(5, 14))]
    slips = [each.key for each in section.comparisons() if each.verdict is Verdict.SLIP]
    assert slips == ["table-1/1000/mean", "table-1/1000/deviation"]
    tests = [each for each in section.comparisons() if each.p is not None]
    assert len(tests) == 20 + 4 + 15 + 36 + 36
    assert all(each.adjusted is not None and each.adjusted >= each.p for each in tests if each.p is not None)


def test_every_marked_cell_holds_the_documents_figure(section: Section) -> None:
    """Where a comparison names a cell of the document's table, that cell holds the figure compared."""
    for exhibit in section.exhibits:
        for each in exhibit.comparisons:
            if each.cell is not None and exhibit.document is not None:
                row, column = each.cell
                assert exhibit.document.rows[row][column] == each.document, each.key


def test_all_about_a_comment_exists(section: Section) -> None:
    """Comments refer to comparisons of their own section only."""
    keys = {each.key for each in section.comparisons()}
    assert all(set(comment.about) <= keys for comment in section.comments)


def test_other_numbers_differ_and_are_said_to(played: Played) -> None:
    """Games of another strength make their table's cell differ, with a comment that names it."""
    cell = Cell(4, 3, 1000)
    sets = {**played.sets, cell: Sets((1500, 1510, 1490) * 5, 3000)}
    changed = dataclasses.replace(played, sets=sets)
    compared = (each for exhibit in circle_nim.exhibits(changed) for each in exhibit.comparisons)
    wrong = [each.key for each in compared if each.verdict is Verdict.DIFFERS]
    assert wrong == ["table-10/1000"]
    assert "table-10/1000: the document's 0.647 lies outside" in words(changed)


def test_comments_are_made_of_the_numbers_and_not_without_them(played: Played) -> None:
    """Even chances: not a word of unfairness. A best response no better: none of what is left to gain."""
    before = words(played)
    assert "not to one half" in before
    assert "can win from a random opponent" in before
    chances, poor = dict.fromkeys(played.exact, 0.5), dict.fromkeys(played.ceiling, 0.0)
    after = words(dataclasses.replace(played, exact=chances, ceiling=poor))
    assert "not to one half" not in after
    assert "can win from a random opponent" not in after


def test_the_same_seed_gives_the_same_games_for_any_number_of_jobs() -> None:
    """One job or three, every set wins the same games; another seed gives others."""
    cells = [Cell(3, 1, 100), Cell(5, 3, 1000)]
    once = play_sets(cells, FEW, Where(7, 1), lambda: None)
    assert play_sets(cells, FEW, Where(7, 3), lambda: None) == once
    assert play_sets(cells, FEW, Where(8, 1), lambda: None) != once


def test_games_can_be_played_elsewhere() -> None:
    """Whatever plays a simulation is asked for each record set, with what decides its games."""
    asked: list[tuple[str | None, int, int, int]] = []

    def wins(spec: SimulationSpec) -> int:
        asked.append((spec.players[0].strategy, spec.seed, spec.match, spec.games))
        return len(asked)

    cell = Cell(3, 1, 100)
    found = play_sets([cell], FEW, Where(7, 1, wins), lambda: None)
    assert found[cell].wins == (1, 2, 3)
    assert [(match, games) for _, _, match, games in asked] == [(0, 3000), (1, 3000), (2, 3000)]
    assert len({name for name, *_ in asked}) == 3


@pytest.mark.usefixtures("_undrawn")
def test_a_million_records_are_played_where_they_are_asked_for(played: Played) -> None:
    """Without them nothing is said but how; with them their rate stands in a table of its own."""
    assert played.million is None
    changed = dataclasses.replace(played, million=Sets((1800, 1830), 3000))
    exhibits = circle_nim.exhibits(changed)
    assert exhibits[-1].key == "million"
    row = next(row for _, row in circle_nim.section(changed).claims if row.key == "million-records")
    assert "Played here: 0.6050" in row.found.en


def test_every_cell_of_the_documents_tables_is_played(played: Played) -> None:
    """36 cells, each with as many sets of as many games as asked for."""
    assert len(played.sets) == 9 * len(document.RECORDS)
    assert all(len(each.wins) == 3 and each.games == 3000 for each in played.sets.values())


def standings(played: Played) -> dict[str, Standing]:
    """What became of each claim with these numbers."""
    return {claim.key: row.standing for claim, row in circle_nim.section(played).claims}


@pytest.mark.usefixtures("_undrawn")
def test_fairness_and_the_example_follow_from_what_was_computed(played: Played) -> None:
    """A game that is even either way would be fair; a game of nine plies that A won would be found."""
    found = standings(played)
    assert found["fair-five"] is Standing.CONTRADICTED
    assert found["figure-3"] is Standing.REPRODUCED
    assert found["unfair-small"] is Standing.REPRODUCED
    assert (played.facts.fewer, played.facts.five, played.facts.example.games > 100) == ((-1, -1), 1, True)
    even = dataclasses.replace(
        played,
        exact={**played.exact, 4: 0.5, 5: 0.5},
        facts=played.facts._replace(five=0, example=played.facts.example._replace(lost=3)),
    )
    found = standings(even)
    assert found["fair-five"] is Standing.REPRODUCED
    assert found["figure-3"] is found["unfair-small"] is Standing.CONTRADICTED


@pytest.mark.usefixtures("_undrawn")
def test_the_third_strategy_takes_two_of_an_even_number_where_there_is_no_three(played: Played) -> None:
    """Half of the time that there is a pair; where it never did, the text would be right about the code."""
    even = played.facts.even
    assert (even.positions, even.games) == (2**14 - 1, circle_nim_facts.GAMES)
    assert even.turns > even.without > even.two > 0.2 * even.without
    plain = CircleNim(5)
    player = Watched(plain, 3, Size(1, 1), 0)
    a_pair, apart, a_three, odd = 0b101, 0b100001, 0b111001, 0b111
    expected = {
        a_pair: [(False, 1), (False, 2)],
        apart: [(False, 1)],
        a_three: [(True, 1), (True, 3)],
        odd: [],
    }
    for left, noted in expected.items():
        player.noted.clear()
        for index in range(20):
            player.choose(State(left, 0), (0,) * 9, Stream("test", index))
        assert sorted(set(player.noted)) == noted
    never = dataclasses.replace(played, facts=played.facts._replace(even=even._replace(open=0, two=0)))
    assert standings(never)["strategy-3-always-odd"] is Standing.REPRODUCED


def test_equal_spreads_follow_from_the_games_of_their_columns(
    monkeypatch: pytest.MonkeyPatch, played: Played, section: Section
) -> None:
    """Ten times the games: 3.16 times the spread. With a fifth more it would be about the same."""
    row = next(row for _, row in section.claims if row.key == "same-spread")
    assert (row.standing, "3.16 times" in row.found.en) == (Standing.CONTRADICTED, True)
    *others, last = document.TABLE_1
    monkeypatch.setattr(document, "TABLE_1", (*others, last._replace(games=12_000)))
    facts = {each.key: each for each in circle_nim_claims.random_play(played.exact, 1)}
    assert facts["same-spread"].holds is True
    assert facts["same-spread"].numbers["ratio"] == pytest.approx(1.2**0.5)
