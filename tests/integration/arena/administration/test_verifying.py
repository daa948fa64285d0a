"""What is stored is compared with what was recorded, and what was changed past the arena is found."""

from __future__ import annotations

import pytest
from sqlalchemy import select, text

from arena.administration.opening import Opened
from arena.administration.verifying import verify
from arena.core.terms import MatchState
from arena.store.models import Event, Match
from arena.store.models.event_types import EventKind, MatchDecided, MatchRecorded
from arena.tournaments import amendments, freezing
from tests.integration.arena.administration.conftest import record, store_archives
from tests.integration.arena.world import World

CHANGES = {
    "UPDATE entries SET half_points = half_points + 1 WHERE number = 2": "entry 2: half_points is",
    "UPDATE encounters SET games = games + 1": "entry 1 against entry 4: games is 4",
    "UPDATE opening_totals SET first_draws = 99 WHERE number = 1": "opening 1: first_draws is 99",
    "UPDATE tournaments SET matches_finished = 0": "matches_finished is 0, and there are 5",
    "UPDATE results SET first_half_points = 2, second_half_points = 2": "2:2 half points, unlike the log",
    "UPDATE matches SET state = 'parked' WHERE number = 1": "match 1 is finished without a result",
    "DELETE FROM results WHERE match_id = (SELECT min(match_id) FROM results)": "and it has no result",
    "INSERT INTO byes (tournament_id, round, entry_id, half_points, kind, phase)"
    " SELECT tournament_id, 1, id, 2, 'bye', '' FROM entries WHERE number = 3": "entry 3: its byes give 2",
}


def test_all_is_right(arena: Opened, world: World) -> None:
    """Nothing is said of an arena in which all is as it was recorded, with a frozen tournament in it."""
    archives = set(store_archives(world))
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
    record(world, 2)
    told: list[tuple[int, int]] = []
    made = verify(arena, lambda done, total: told.append((done, total)))
    assert made.differences == []
    assert (made.tournaments, made.frozen, made.archives) == (1, 1, len(archives))
    assert told[-1] == (2 + len(archives), 2 + len(archives))


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_found(arena: Opened, world: World, change: str) -> None:
    """A stored number that is changed past the arena is told with the number that should stand there."""
    store_archives(world)
    with world.database.transaction() as session:
        session.execute(text(change))
    found = [each.difference for each in verify(arena).differences]
    assert any(CHANGES[change] in each for each in found), found


@pytest.mark.parametrize(("kind", "winner"), [(MatchRecorded.KIND, 7), (MatchDecided.KIND, "a third one")])
def test_a_winner_that_there_cannot_be_is_found(
    arena: Opened, world: World, kind: EventKind, winner: object
) -> None:
    """Where the log of events is damaged it is told of the match, whether it was played or decided."""
    with world.database.transaction() as session:
        match = session.scalars(select(Match).where(Match.state == MatchState.FINISHED)).first()
        assert match
        amendments.set_result(session, world.staff, match, "first", "agreed")
        session.flush()
        for event in session.scalars(select(Event).where(Event.kind == kind)):
            event.data = {**event.data, "winner": winner}
    assert any("unlike the log" in each.difference for each in verify(arena).differences)


DAMAGED = {
    "a field is missing": {"attempt": 1, "winner": 0},
    "a field is of another type": {"attempt": 1, "winner": ["first"], "reason": "played"},
    "a field is of another kind's": {"attempt": 1, "winner": 0, "reason": "played", "round": 1},
    "it is no object": [1, 0],
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_an_event_that_cannot_be_read_is_found(arena: Opened, world: World, damage: str) -> None:
    """It is named, and its match is told as one that the log does not count."""
    store_archives(world)
    with world.database.transaction() as session:
        event = session.scalars(select(Event).where(Event.kind == MatchRecorded.KIND)).first()
        assert event
        number, match = event.id, session.get_one(Match, event.match_id).number
        event.data = DAMAGED[damage]  # type: ignore[assignment]
    found = [each.difference for each in verify(arena).differences]
    assert f"event {number} of the log, match.recorded, does not tell what one of its kind does" in found
    assert f"match {match} has a result of attempt 1, counted 0 times" in found


def test_a_changed_copy_of_a_frozen_tournament_is_found(arena: Opened, world: World) -> None:
    """What the public reads of a frozen tournament is verified apart from what the staff reads."""
    store_archives(world)
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
        session.execute(text("UPDATE frozen_entries SET wins = wins + 1 WHERE number = 1"))
    found = verify(arena).differences
    assert {(each.part, each.name) for each in found} == {("frozen", "cup")}
    assert found[0].difference.startswith("entry 1: wins is")


def test_archives_are_read(arena: Opened, world: World) -> None:
    """An archive that is away, and one that is not what its name says, are told."""
    first, second, *_ = store_archives(world)
    place = world.settings.data_dir / "archives"
    (place / f"{first}.zip").unlink()
    (place / f"{second}.zip").write_bytes(b"something else")
    found = {each.name: each.difference for each in verify(arena).differences}
    assert "there is no archive" in found[first]
    assert "is damaged in the store" in found[second]
    assert len(found) == 2
