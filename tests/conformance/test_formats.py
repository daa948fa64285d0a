"""Laws that every format keeps, whatever the results, whoever leaves, joins late or misses a round."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.theory.pairing.contract import Pairing
from arena.theory.pairing.format import Planned
from arena.theory.pairing.formats import FORMATS
from arena.theory.pairing.groups import Groups, letters
from arena.theory.pairing.schedule import expand
from tests.conformance.formats import CASES, TABLES, Case, Story, entrants, fits, play

every_format = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.options}")
few = settings(max_examples=5, deadline=None)
FRESH = (*TABLES, "knockout", "groups")
seeds = st.integers(0, 2**53 - 1)


def _story(case: Case, count: int, seed: int, *, restless: bool = False) -> Story:
    count = min(count, case.most)
    assume(fits(case.format, count))
    return play(case.format, count, seed, restless=restless)


def _pairs(pairings: tuple[Pairing, ...]) -> list[tuple[int, int]]:
    return [(each.first, each.second) for each in pairings if each.second is not None]


def test_every_format_is_tried() -> None:
    """No format can be added without standing before these laws."""
    assert {case.name for case in CASES} == set(FORMATS)


@every_format
@few
@given(st.integers(2, 30), seeds)
def test_what_is_paired_follows_from_what_is_known(case: Case, count: int, seed: int) -> None:
    """Any round can be paired again by another process, from the same facts in any order, to the same end.

    That somebody joined or left later makes no difference to it.
    """
    story = _story(case, count, seed, restless=True)
    fmt, chance = case.format, Random(seed)
    for number, pairings, known in chance.sample(story.rounds, min(3, len(story.rounds))):
        before = [each for each in story.meetings if each.round < number]
        for facts in (known, story.entrants):
            someone = list(facts)
            chance.shuffle(someone)
            chance.shuffle(before)
            assert fmt.next_round(someone, before, number, seed) == pairings


@every_format
@few
@given(st.integers(2, 30), seeds)
def test_nobody_is_paired_twice_in_a_round_or_against_itself(case: Case, count: int, seed: int) -> None:
    """In every round, byes included, each entrant is named at most once, and is known."""
    story = _story(case, count, seed, restless=True)
    for _, pairings, known in story.rounds:
        seated = [each for pairing in pairings for each in pairing[:2] if each is not None]
        assert len(set(seated)) == len(seated)
        assert set(seated) <= {each.number for each in known}


@every_format
@few
@given(st.integers(2, 30), seeds)
def test_who_has_left_is_not_waited_for(case: Case, count: int, seed: int) -> None:
    """Only tables made in advance name who has left, as walkovers; nobody is paired before it joined."""
    story = _story(case, count, seed, restless=True)
    known = {each.number: each for each in story.entrants}
    letters = {chr(ord("A") + group) for group in range(4)}
    for number, pairings, _ in story.rounds:
        for pairing in pairings:
            for each in filter(None, pairing[:2]):
                assert known[each].joined <= number
                table = case.name in TABLES or pairing.phase in letters
                assert table or not known[each].has_left(number)


@every_format
@few
@given(st.integers(2, 30), seeds)
def test_it_is_as_long_as_it_says(case: Case, count: int, seed: int) -> None:
    """If nobody leaves or joins, rounds and games lie within the extent that was told before."""
    story = _story(case, count, seed)
    extent = case.format.extent(min(count, case.most))
    assert extent is not None
    games = sum(each.games for _, pairings, _ in story.rounds for each in pairings if each.second is not None)
    assert extent.rounds_least <= len(story.rounds) <= extent.rounds_most
    assert extent.games_least <= games <= extent.games_most


@every_format
@few
@given(st.integers(2, 30), seeds)
def test_openings_are_those_drawn_and_played_from_both_seats(case: Case, count: int, seed: int) -> None:
    """Every two games of a pairing share an opening that was drawn; where some are asked for all have one."""
    story = _story(case, count, seed)
    fmt = case.format
    for _, pairings, _ in story.rounds:
        for each in pairings:
            if each.second is None:
                continue
            assert len(each.openings) in ((each.games + 1) // 2, 0)
            assert bool(each.openings) == bool(fmt.openings) or "tie-break" in each.phase
            assert all(1 <= number <= fmt.drawn for number in each.openings)


@pytest.mark.parametrize("case", [case for case in CASES if case.openings and case.name in FRESH], ids=str)
@few
@given(st.integers(2, 20), seeds)
def test_no_game_is_played_twice_from_an_opening(case: Case, count: int, seed: int) -> None:
    """Two who meet again do so from another opening or from the other seat, if all their games have one.

    A Swiss may run out of opponents, and a ladder of openings, so those are not meant.
    """
    story = _story(case, count, seed, restless=True)
    played = Counter(
        (game.first, game.second, game.opening_number)
        for number, pairings, _ in story.rounds
        for game in expand(pairings, number)
    )
    assert set(played.values()) <= {1}


@every_format
@few
@given(st.integers(2, 30), seeds)
def test_what_is_in_advance_needs_no_results(case: Case, count: int, seed: int) -> None:
    """A round that a format calls known in advance is the same before anything was played."""
    story = _story(case, count, seed)
    fmt, known = case.format, entrants(min(count, case.most))
    for number, pairings, _ in story.rounds:
        if fmt.in_advance(known, number, seed):
            assert fmt.next_round(known, (), number, seed) == pairings
    if isinstance(fmt, Planned):
        assert [each[:2] for each in story.rounds] == list(fmt.rounds(known))


@pytest.mark.parametrize("case", [case for case in CASES if "round_robin" in case.name])
@few
@given(st.integers(2, 20), seeds)
def test_everybody_meets_everybody_as_often_as_meant(case: Case, count: int, seed: int) -> None:
    """Two meet once a cycle, also if one joined late, unless one had left when the other came.

    Nobody who was there throughout has one seat oftener than the other but once in a table.
    """
    story = _story(case, count, seed, restless=True)
    cycles = getattr(case.format, "cycles")  # noqa: B009 - a format has options of its own
    met = Counter(frozenset(pair) for _, pairings, _ in story.rounds for pair in _pairs(pairings))
    for one in story.entrants:
        for other in story.entrants:
            if one.number < other.number:
                together = not one.has_left(other.joined) and not other.has_left(one.joined)
                assert met[frozenset((one.number, other.number))] == (cycles if together else 0)
    quiet = _story(case, count, seed)
    lead = _lead(quiet)
    assert max(map(abs, lead.values()), default=0) <= cycles % 2


@pytest.mark.parametrize("case", [case for case in CASES if case.name == "groups"])
@few
@given(st.integers(2, 20), seeds)
def test_mates_of_a_group_meet_as_often_as_meant(case: Case, count: int, seed: int) -> None:
    """All are in a group; mates meet once a cycle, unless one had left when the other came late."""
    story, fmt = _story(case, count, seed, restless=True), case.format
    assert isinstance(fmt, Groups)
    groups = fmt.divided(story.entrants, seed)
    assert sorted(each.number for group in groups for each in group) == [
        each.number for each in story.entrants
    ]
    names = {letters(group) for group in range(len(groups))}
    met = Counter(
        frozenset(pairing[:2])
        for _, pairings, _ in story.rounds
        for pairing in pairings
        if pairing.phase in names
    )
    for one, other in (two for group in groups for two in combinations(group, 2)):
        together = not one.has_left(other.joined) and not other.has_left(one.joined)
        assert met.pop(frozenset((one.number, other.number)), 0) == (fmt.cycles if together else 0)
    assert not met


@pytest.mark.parametrize("case", [case for case in CASES if "swiss" in case.name])
@few
@given(st.integers(2, 30), seeds)
def test_a_swiss_pairs_all_and_repeats_nothing_that_it_can_avoid(case: Case, count: int, seed: int) -> None:
    """Everybody who is there plays, one has a bye if their number is odd, and nobody a second one needlessly.

    While the rounds are at most half as many as the entrants, a pairing without a repeat exists (Dirac).
    """
    story = _story(case, count, seed, restless=True)
    met: set[frozenset[int]] = set()
    byes: Counter[int] = Counter()
    for number, pairings, known in story.rounds:
        here = {each.number for each in known if each.plays_in(number)}
        seated = {each for pairing in pairings for each in pairing[:2] if each is not None}
        free = [each.first for each in pairings if each.second is None]
        assert seated == here
        assert len(free) == len(here) % 2
        pairs = {frozenset(pair) for pair in _pairs(pairings)}
        if 2 * number <= len(here):
            assert not pairs & met
            assert all(byes[each] == 0 for each in free)
        met |= pairs
        byes.update(free)


@pytest.mark.parametrize("case", [case for case in CASES if "swiss" in case.name and not case.openings])
@few
@given(st.integers(12, 30), seeds)
def test_a_swiss_balances_the_seats(case: Case, count: int, seed: int) -> None:
    """Nobody begins three times oftener than not, or sits in one seat three times running."""
    story = _story(case, count, seed)
    seats: dict[int, str] = {}
    for _, pairings, _ in story.rounds[:-1]:
        for first, second in _pairs(pairings):
            seats[first] = seats.get(first, "") + "1"
            seats[second] = seats.get(second, "") + "2"
    assert all(abs(row.count("1") - row.count("2")) <= 2 for row in seats.values())
    assert not any("111" in row or "222" in row for row in seats.values())


@pytest.mark.parametrize("case", [case for case in CASES if case.name == "knockout"])
@few
@given(st.integers(2, 30), seeds)
def test_who_wins_a_knockout_never_lost(case: Case, count: int, seed: int) -> None:
    """The first place is one entrant's who lost no meeting, the second lost in the final, all are placed."""
    story = _story(case, count, seed)
    places = case.format.places(story.entrants, story.meetings, seed)
    assert places is not None
    (winner,), (second,), *_ = places
    lost: dict[int, list[str]] = {}
    for each in story.meetings:
        if each.second is not None and each.half_points[0] != each.half_points[1]:
            loser = each.first if each.half_points[0] < each.half_points[1] else each.second
            lost.setdefault(loser, []).append(each.phase)
    assert winner not in lost
    assert all(phase.startswith("final") for phase in lost.get(second, []))
    assert sorted(each for tier in places for each in tier) == list(range(1, min(count, case.most) + 1))


@pytest.mark.parametrize("case", [case for case in CASES if case.name == "groups"])
@few
@given(st.integers(2, 30), seeds)
def test_groups_place_everybody_and_send_on_as_many_as_they_say(case: Case, count: int, seed: int) -> None:
    """As many as qualify meet in the bracket, and every entrant has one place in the end."""
    story = _story(case, count, seed)
    places = case.format.places(story.entrants, story.meetings, seed)
    assert places is not None
    assert sorted(each for tier in places for each in tier) == list(range(1, min(count, case.most) + 1))
    bracket = {each for meeting in story.meetings if len(meeting.phase) > 1 for each in meeting[1:3] if each}
    assert len(bracket) == case.options["groups"] * case.options.get("qualifiers", 2)


@pytest.mark.parametrize("case", [case for case in CASES if case.name == "gauntlet"])
@few
@given(st.integers(2, 30), seeds)
def test_a_gauntlet_is_the_heroes_against_everybody(case: Case, count: int, seed: int) -> None:
    """Every pair with a hero meets once a cycle, and no other; a hero's seats are balanced."""
    story = _story(case, count, seed)
    heroes, cycles = case.options.get("heroes", (1,)), case.options.get("cycles", 1)
    met = Counter(frozenset(pair) for _, pairings, _ in story.rounds for pair in _pairs(pairings))
    assert set(met.values()) == {cycles}
    assert set(met) == {
        frozenset((hero, other)) for hero in heroes for other in range(1, count + 1) if other != hero
    }
    lead = _lead(story)
    assert all(abs(lead[hero]) <= cycles % 2 for hero in heroes)


@pytest.mark.parametrize("case", [case for case in CASES if case.name == "ladder"])
@few
@given(st.integers(2, 20), seeds)
def test_a_ladder_leaves_nobody_behind(case: Case, count: int, seed: int) -> None:
    """In every round all are paired, but one if their number is odd, and seats are about balanced."""
    story = _story(case, count, seed)
    assert all(len(pairings) == count // 2 for _, pairings, _ in story.rounds)
    games = Counter(each for _, pairings, _ in story.rounds for pair in _pairs(pairings) for each in pair)
    assert min(games[number] for number in range(1, count + 1)) >= 3
    assert case.openings or max(map(abs, _lead(story).values())) <= 3


def _lead(story: Story) -> Counter[int]:
    lead: Counter[int] = Counter()
    for _, pairings, _ in story.rounds:
        for first, second in _pairs(pairings):
            lead[first] += 1
            lead[second] -= 1
    return lead
