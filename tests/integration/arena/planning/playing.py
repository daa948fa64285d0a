"""Playing matches of a small world in a time that a test decides."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.coordinator.messages import Message
from arena.store.models import Event
from arena.store.models.event_types import EventKind
from tests.integration.arena.world import World, issue_matches, play

NS = 1_000_000_000


def issue(world: World, count: int) -> list[Message]:
    """The next matches, begun."""
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": count}))
    for message in messages:
        world.heartbeat(message)
    return messages


def finish(world: World, message: Message, use: Sequence[float], took: float, *, same: bool = False) -> None:
    """Record a match in which the seats used so many seconds and that took so many in all.

    With `same` it has the moves of any other one with the same opening.
    """
    result = play(message.spec.model_copy(update={"seeds": (1, 1)}) if same else message.spec)
    moves = [move for move in result.moves if move.asked]
    last = {seat: max(move.ply for move in moves if move.seat == seat) for seat in (0, 1)}
    told = result.model_dump(mode="json")
    for move in told["moves"]:
        move["wall_ns"] = int(use[move["seat"]] * NS) if move["ply"] == last[move["seat"]] else 0
    for seat in (0, 1):
        told["seats"][seat]["wall_ns"] = int(use[seat] * NS)
    assert world.record(message, told) == "taken"
    _date_back(world, message, took)


def begun_at(world: World, message: Message) -> dt.datetime:
    """When a match was begun."""
    with world.database.transaction() as session:
        return _events(session, message)[EventKind.MATCH_STARTED].at


def _date_back(world: World, message: Message, took: float) -> None:
    """Let the match have begun so long before it was recorded."""
    with world.database.transaction() as session:
        events = _events(session, message)
        ended = events[EventKind.MATCH_RECORDED].at
        events[EventKind.MATCH_STARTED].at = ended - dt.timedelta(seconds=took)


def _events(session: Session, message: Message) -> dict[EventKind, Event]:
    found = session.scalars(select(Event).where(Event.match_id == int(message.spec.match)))
    return {EventKind(event.kind): event for event in found}
