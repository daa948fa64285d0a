"""Laws that a tournament of any format obeys, whatever happens while it is played."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.settings import Settings
from arena.core.terms import Leaving, TournamentState
from arena.store import tournaments as store
from arena.store.database import Database
from arena.store.models import Entry
from arena.tournaments import history
from arena.tournaments.rounds import format_of
from tests.conformance.stories import LADDER_ROUNDS, PLANS, Story
from tests.integration.arena.world import World

MakeWorld = Callable[[], World]


@pytest.fixture(scope="module")
def make_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeWorld]:
    """Makes a fresh world with every call."""
    folder, numbers, made = tmp_path_factory.mktemp("worlds"), count(), list[Database]()
    template = Database(f"sqlite:///{folder}/template.sqlite3")
    template.migrate()
    template.close()

    def make() -> World:
        file = shutil.copy(folder / "template.sqlite3", folder / f"world{next(numbers)}.sqlite3")
        made.append(Database(f"sqlite:///{file}"))
        return World(made[-1], Settings(data_dir=Path("unused")))

    yield make
    for database in made:
        database.close()


@pytest.mark.parametrize("fmt", PLANS)
@given(seed=st.integers(0, 2**32), arrival=st.integers(0, 2**32))
@settings(max_examples=1, deadline=None)
def test_a_tournament_ends_as_it_should(make_world: MakeWorld, fmt: str, seed: int, arrival: int) -> None:
    """Whatever happens, it ends, keeps its promise, and has the tables of its log in any order of arrival."""
    story, other = (Story(make_world(), fmt, seed, order) for order in (arrival, arrival + 1))
    for each in (story, other):
        each.tell()
        assert each.verify() == []
    assert story.told() == other.told()
    expelled = [line.left_as == Leaving.DISQUALIFIED for line in story.world.leaderboard()]
    assert expelled == sorted(expelled)
    with story.world.database.reading() as session:
        cup = story.world.get(session)
        assert cup.state == TournamentState.FINISHED
        PROMISES[fmt](story, list(store.entries(session, cup)))


def _everybody_met(story: Story, entries: list[Entry], games: int, *, heroes: tuple[int, ...] = ()) -> None:
    met = story.games()
    for one, other in combinations(entries, 2):
        hero = not heroes or one.number in heroes or other.number in heroes
        gone = any(
            a.left_round is not None and a.left_round <= b.joined_round
            for a, b in ((one, other), (other, one))
        )
        expected = games if hero and not gone and not (one.annulled or other.annulled) else 0
        assert met[one.number, other.number] == expected, (one.number, other.number)


def _round_robin(story: Story, entries: list[Entry]) -> None:
    _everybody_met(story, entries, 1)


def _double_round_robin(story: Story, entries: list[Entry]) -> None:
    _everybody_met(story, entries, 2)


def _gauntlet(story: Story, entries: list[Entry]) -> None:
    _everybody_met(story, entries, 1, heroes=(2, 3))


def _swiss(story: Story, entries: list[Entry]) -> None:
    """Who takes part in a round meets somebody or has a bye; nobody meets another twice."""
    met = Counter(
        (entry, meeting.round) for meeting in story.meetings() for entry in (meeting.first, meeting.second)
    )
    whole = not any(entry.annulled for entry in entries)
    for entry in entries:
        last = entry.left_round or 4
        for number in range(entry.joined_round, min(last, 4)):
            assert met[entry.number, number] <= 1
            assert met[entry.number, number] == 1 or not whole
    pairs = Counter(frozenset((m.first, m.second)) for m in story.meetings() if m.second is not None)
    assert set(pairs.values()) <= {1}


def _bracket(story: Story, entries: list[Entry]) -> None:
    """One bot has won, unless all have left."""
    with story.world.database.reading() as session:
        cup = story.world.get(session)
        places = format_of(cup).places(history.entrants(session, cup), story.meetings(), cup.seed)
    assert places is not None
    assert len(places[0]) == 1 or all(entry.left_as for entry in entries)
    assert sorted(number for tier in places for number in tier) == [entry.number for entry in entries]


def _ladder(story: Story, entries: list[Entry]) -> None:
    """Who has been there for some rounds has met somebody in all of them but one, or was left over."""
    met = Counter(entry for meeting in story.meetings() for entry in (meeting.first, meeting.second) if entry)
    staying = [entry for entry in entries if entry.left_as is None]
    if len(staying) > 1:
        assert all(met[entry.number] for entry in staying if entry.joined_round < LADDER_ROUNDS - 1)


PROMISES = {
    "round_robin": _round_robin,
    "double_round_robin": _double_round_robin,
    "swiss_dutch": _swiss,
    "swiss": _swiss,
    "knockout": _bracket,
    "groups": _bracket,
    "gauntlet": _gauntlet,
    "ladder": _ladder,
}
