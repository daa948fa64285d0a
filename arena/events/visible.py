"""What of an event others than the staff may see: what the pages show of it, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from arena.schemas.events import EventOut, ProgressOut
from arena.store.event_log import LoggedEvent, Progress
from arena.store.models.event_types import EventKind as Kind

_ATTEMPT = ("attempt",)
_LEAVING = ("bot", "entry", "round", "annulled")
_VERSION = ("bot", "version")
_MOVED = ("matches",)

PUBLIC: dict[Kind, tuple[str, ...]] = {
    Kind.ANNOUNCEMENT: ("text",),
    Kind.ANSWER_PUBLISHED: ("question", "asked", "answer", "asker"),
    Kind.BOT_SUBMITTED: _VERSION,
    Kind.CHECK_REPEATED: _VERSION,
    Kind.CHECK_CANCELLED: _VERSION,
    Kind.CHECK_RECORDED: (*_VERSION, "passed", "code"),
    Kind.TOURNAMENT_CREATED: ("name",),
    Kind.TOURNAMENT_TITLED: ("title",),
    Kind.TOURNAMENT_OPEN: _MOVED,
    Kind.TOURNAMENT_RUNNING: _MOVED,
    Kind.TOURNAMENT_PAUSED: _MOVED,
    Kind.TOURNAMENT_ENDED: (),
    Kind.TOURNAMENT_FINISHED: _MOVED,
    Kind.TOURNAMENT_CANCELLED: _MOVED,
    Kind.TOURNAMENT_STUCK: ("revision", "trouble"),
    Kind.TOURNAMENT_FROZEN: ("since",),
    Kind.TOURNAMENT_REVEALED: (),
    Kind.TIMETABLE_SET: ("moments",),
    Kind.TIMETABLE_DONE: ("act",),
    Kind.ROUND_PAIRED: ("round", "matches", "byes"),
    Kind.ROUND_RERUN: ("round", "matches"),
    Kind.BYE_GIVEN: ("round", "entry", "half_points"),
    Kind.ENTRY_MADE: ("bot", "version", "entry", "round"),
    Kind.ENTRY_WITHDRAWN: _LEAVING,
    Kind.ENTRY_DISQUALIFIED: _LEAVING,
    Kind.ENTRY_ANNULLED: ("entry", "byes"),
    Kind.MATCH_PUBLISHED: _ATTEMPT,
    Kind.MATCH_STARTED: _ATTEMPT,
    Kind.MATCH_RECORDED: ("attempt", "winner", "reason"),
    Kind.MATCH_LOST: ("attempt", "lost"),
    Kind.MATCH_PARKED: ("attempt", "lost"),
    Kind.MATCH_PUT_BACK: _ATTEMPT,
    Kind.MATCH_VOID: _ATTEMPT,
    Kind.MATCH_RETRIED: (),
    Kind.MATCH_DROPPED: (),
    Kind.MATCH_DECIDED: ("attempt", "winner", "reason"),
    Kind.MATCH_SUPERSEDED: _ATTEMPT,
    Kind.MATCH_RERUN: (),
}
"""What everybody may see of each kind; of the others only the staff hears."""

IN_FREEZE = frozenset({Kind.ANNOUNCEMENT, Kind.ANSWER_PUBLISHED, Kind.TIMETABLE_SET, Kind.TOURNAMENT_TITLED})
"""What everybody may see of what happens to a tournament while it is frozen."""


def is_hidden(line: LoggedEvent) -> bool:
    """Whether an event is hidden by a freeze."""
    return line.hidden and line.kind not in IN_FREEZE


def event_of(line: LoggedEvent, *, staff: bool) -> EventOut | None:
    """The event as the staff or the public may see it; None where they may not."""
    shown = line.data.keys() if staff else PUBLIC.get(line.kind)
    if shown is None or (is_hidden(line) and not staff):
        return None
    return EventOut(
        number=line.number,
        at=line.at,
        kind=line.kind,
        tournament=line.tournament,
        match=line.match,
        bots=line.bots,
        user=line.user if staff else None,
        data={name: line.data[name] for name in shown if name in line.data},
    )


def progress_of(progress: Progress) -> ProgressOut:
    """How far a tournament is, for everybody."""
    name, state, revision, total, finished, cancelled = progress
    return ProgressOut(
        tournament=name, state=state, revision=revision, total=total, finished=finished, cancelled=cancelled
    )


def frame(event: str, data: dict[str, Any] | str, number: int | None = None) -> bytes:
    """One event of a stream of server-sent events (HTML standard, 9.2), with its number if it has one."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    named = "" if number is None else f"id: {number}\n"
    return f"{named}event: {event}\ndata: {text}\n\n".encode("utf-8", "replace")
