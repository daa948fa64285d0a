"""Freezes: what is kept for the public, from which moment on, and until when."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import func, select

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.terms import Act
from arena.results import bot_statistics, class_report, rating_history, ratings, tables, views
from arena.store import exports, freezes, tournaments
from arena.store.models import FROZEN, Event, Match, Moment
from arena.store.models.event_types import EventKind
from arena.tournaments import amendments, freezing, matches
from tests.integration.arena.world import World, issue_matches, play


def _play(world: World, number: int, seed: int = 0) -> None:
    settings = world.settings.model_copy(update={"window": number})
    with world.database.transaction() as session:
        messages = issue_matches(session, settings)
    for message in messages[:number]:
        world.record(message, play(message.spec, seed=seed))


def _freeze(world: World) -> None:
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)


def _told(world: World, *, frozen: bool) -> list[Any]:
    """All tables and lists that there are, as the public or the staff has them."""
    with world.database.frozen() if frozen else world.database.reading() as session:
        cup = world.get(session)
        rows, total = views.list_matches(session, cup)
        moves = {row.number: [move.move for move in matches_moves(session, row)] for row in rows}
        return [
            tables.table(session, cup),
            views.crosstable(session, cup)[0],
            [(row.number, row.state, row.result and row.result.recorded_at) for row in rows],
            (total, views.progress(session, cup), cup.revision, cup.state, moves),
            ratings.ratings(session, cup, resamples=2),
            [str(rating_history.history(session, cup, kind, 5).points) for kind in ("likelihood", "online")],
            str(bot_statistics.seat_balance(session, cup)),
            [tuple(row) for row in exports.lines(session, cup)],
            str(class_report.class_report(session, cup)),
            session.scalars(select(Event.id).where(Event.tournament_id == cup.id)).all(),
        ]


def matches_moves(session: Any, match: Any) -> Any:
    """The moves of a match."""
    from arena.store import matches as store  # noqa: PLC0415

    return store.moves(session, match)


def test_what_is_kept_is_what_there_was(world: World) -> None:
    """On both databases the public has all as it was, whatever is played, decided, replayed and annulled."""
    world.tournament()
    _play(world, 3)
    _freeze(world)
    before = _told(world, frozen=True)
    assert before[:4] == _told(world, frozen=False)[:4]
    _play(world, 1)
    with world.database.transaction() as session:
        cup = world.get(session)
        amendments.rerun(session, world.staff, matches.get(session, cup, 1), "power cut")
    _play(world, 9, seed=5)
    with world.database.transaction() as session:
        cup = world.get(session)
        bot = cup.entries[0].version.bot
        amendments.disqualify(session, world.staff, cup, bot, "cheated", annul=True)
    assert _told(world, frozen=True) == before
    assert _told(world, frozen=False) != before


def test_after_the_freeze_nothing_is_kept(world: World) -> None:
    """When it is revealed the copies are gone, and the public sees the tournament itself."""
    world.tournament()
    _play(world, 2)
    _freeze(world)
    _play(world, 2)
    with world.database.transaction() as session:
        freezing.reveal(session, world.staff, world.get(session))
    with world.database.reading() as session:
        assert world.get(session).frozen_at is None
        for table in FROZEN.values():
            assert session.scalar(select(func.count()).select_from(table)) == 0, table.name


def test_the_moment_decides_though_nobody_keeps_the_timetable(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that comes after the moment of the freeze is hidden, also while no coordinator runs."""
    world.tournament()
    _play(world, 2)
    at = utc_now() + dt.timedelta(hours=1)
    with world.database.transaction() as session:
        cup = world.get(session)
        session.add(Moment(tournament_id=cup.id, act=Act.FREEZE, at=at))
        cup.freezes_at = at
    _play(world, 1)
    with world.database.reading() as session:
        assert world.get(session).frozen_at is None
    monkeypatch.setattr(freezes, "utc_now", lambda: at + dt.timedelta(seconds=1))
    _play(world, 1)
    with world.database.reading() as session:
        cup = world.get(session)
        assert (cup.frozen_at, cup.freezes_at, cup.matches_finished) == (at, None, 4)
        query = select(Event.kind).where(Event.tournament_id == cup.id).order_by(Event.id.desc())
        kinds = session.scalars(query.limit(3)).all()
        assert EventKind.TOURNAMENT_FROZEN in kinds
        moment = session.get(Moment, (cup.id, Act.FREEZE))
        assert moment is not None
        assert moment.done_at is not None
    with world.database.frozen() as session:
        assert world.get(session).matches_finished == 3


def test_only_what_is_played_can_be_frozen_and_only_once(world: World) -> None:
    """What is open or frozen already is not frozen, and what is not frozen is not revealed."""
    world.tournament(start=False)
    with world.database.transaction() as session, pytest.raises(ConflictError, match="is open"):
        freezing.freeze(session, world.staff, world.get(session), own=False)
    with world.database.transaction() as session, pytest.raises(ConflictError, match="not frozen"):
        freezing.reveal(session, world.staff, world.get(session))
    world.tournament("second")
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session, "second"), own=False)
        with pytest.raises(ConflictError, match="frozen already"):
            freezing.freeze(session, world.staff, world.get(session, "second"), own=False)


def test_what_changed_between_two_freezes_is_told_whatever_was_announced_meanwhile(world: World) -> None:
    """Results turned round so that all sums stay are in the second freeze's crosstable."""
    world.tournament(bots=3, standings_order=("points", "direct"))

    def turn(ahead: int) -> None:
        with world.database.transaction() as session:
            for match in session.scalars(select(Match)):
                is_ahead = (match.second.number - match.first.number) % 3 == ahead
                amendments.set_result(session, world.staff, match, "first" if is_ahead else "second", "so")

    def crosstable() -> Any:
        with world.database.frozen() as session:
            return views.crosstable(session, world.get(session))[0].cells

    turn(1)
    _freeze(world)
    before = crosstable()
    for _ in range(10):
        with world.database.transaction() as session:
            freezes.announce_change(session, tournaments.lock(session, world.get(session).id))
    assert crosstable() == before
    turn(2)
    with world.database.transaction() as session:
        freezing.reveal(session, world.staff, world.get(session))
    _freeze(world)
    after = crosstable()
    assert after != before
    with world.database.reading() as session:
        assert after == views.crosstable(session, world.get(session))[0].cells
