"""What of each kind of event others than the staff may see."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from arena.events.visible import PUBLIC, event_of, frame
from arena.store.event_log import LoggedEvent
from arena.store.models import event_types, freeze_events, question_events
from arena.store.models.event_types import EntryLeft, EventData, EventKind, TournamentMoved
from arena.store.models.experiment_events import ExperimentOver

SECRET = {"host", "user", "owner", "archive", "digest", "why", "origin", "count", "role"}
"""What nobody but the staff may see of any event."""
SEVERAL = {"tournament": TournamentMoved, "entry": EntryLeft, "experiment": ExperimentOver}
"""Classes of kinds that bear a state's name."""

TOLD_ANYWAY = {
    *(EventKind.ANNOUNCEMENT, EventKind.ANSWER_PUBLISHED),
    *(EventKind.TIMETABLE_SET, EventKind.TOURNAMENT_TITLED),
}


def _line(kind: EventKind, *, hidden: bool = False, **data: object) -> LoggedEvent:
    at = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
    return LoggedEvent(7, at, kind, 1, "cup", 2, 3, ("a", "b"), "boss", data, hidden)


def _fields_of(kind: EventKind) -> set[str]:
    known = vars(event_types) | vars(freeze_events) | vars(question_events)
    classes = [each for each in known.values() if isinstance(each, type)]
    own = [
        each for each in classes if issubclass(each, EventData) and getattr(each, "KIND", None) is kind
    ] or [SEVERAL[kind.partition(".")[0]]]
    if kind is EventKind.ENTRY_WITHDRAWN:
        own.append(EntryLeft)
    return {name for each in own for name in vars(each)["__dataclass_fields__"]}


@pytest.mark.parametrize("kind", sorted(PUBLIC))
def test_what_is_public_is_there_and_no_secret(kind: EventKind) -> None:
    """Every field that is shown is one of the kind's, and none that only the staff may see."""
    assert set(PUBLIC[kind]) <= _fields_of(kind)
    assert not set(PUBLIC[kind]) & SECRET


def test_the_public_sees_less_than_the_staff() -> None:
    """Of a match that was begun the host is for the staff, and so is who did something."""
    line = _line(EventKind.MATCH_STARTED, attempt=1, host="lab-3")
    seen, all_of_it = event_of(line, staff=False), event_of(line, staff=True)
    assert seen is not None
    assert all_of_it is not None
    assert (seen.data, seen.user) == ({"attempt": 1}, None)
    assert (all_of_it.data, all_of_it.user) == ({"attempt": 1, "host": "lab-3"}, "boss")


def test_what_is_not_known_to_be_public_is_for_the_staff() -> None:
    """Of tokens and users only the staff hears."""
    line = _line(EventKind.TOKEN_ISSUED, user="ann")
    assert event_of(line, staff=False) is None
    assert event_of(line, staff=True) is not None


@pytest.mark.parametrize("kind", sorted(PUBLIC))
def test_in_a_freeze_the_public_hears_what_the_staff_says(kind: EventKind) -> None:
    """Behind a freeze the public is told what the staff says and the timetable, the staff all."""
    told = event_of(_line(kind, hidden=True), staff=False)
    assert (told is not None) == (kind in TOLD_ANYWAY)
    assert event_of(_line(kind, hidden=True), staff=True) is not None


def test_a_frame_is_lines_of_a_stream_whatever_is_in_it() -> None:
    """LoggedEvent breaks within texts do not break the frame; what has no number has no id."""
    told = frame("announcement", {"text": "a\nb\r\u2028c"}, 5)
    lines = told.decode().split("\n")
    assert lines[:2] == ["id: 5", "event: announcement"]
    assert json.loads(lines[2].removeprefix("data: ")) == {"text": "a\nb\r\u2028c"}
    assert lines[3:] == ["", ""]
    assert not frame("moves", {}).startswith(b"id")
