"""The log of events as processes read it beside which others write."""

from __future__ import annotations

import pytest

from arena.core.errors import UnavailableError
from arena.events import log
from arena.events.log import EventLog
from arena.store import events
from arena.store.database import Database
from arena.store.models.event_types import Announced


def _announce(database: Database, *texts: str) -> None:
    with database.transaction() as session:
        for text in texts:
            events.log(session, Announced(text))


def _texts(reader: EventLog, limit: int = 10) -> list[str]:
    return [line.data["text"] for line in reader.read(limit)]


def test_events_are_read_once_and_in_order(database: Database) -> None:
    """What is there comes in pieces, what comes later later, and who goes to the end sees only that."""
    _announce(database, "a", "b", "c")
    reader, late = EventLog(database), EventLog(database)
    late.go_to_end()
    assert [_texts(reader, 2), _texts(reader, 2), _texts(reader, 2)] == [["a", "b"], ["c"], []]
    _announce(database, "d")
    assert [_texts(reader), _texts(late)] == [["d"], ["d"]]
    assert reader.position == late.position


only_there = pytest.mark.parametrize("database", ["postgresql"], indirect=True)
"""On SQLite nobody else writes meanwhile."""


@only_there
def test_a_number_that_is_committed_late_is_not_passed_over(database: Database) -> None:
    """An event whose number was given before another's, and which appears after it, comes before it."""
    reader = EventLog(database)
    with database.transaction() as slow:
        events.log(slow, Announced("first"))
        slow.flush()
        _announce(database, "second")
        assert [_texts(reader), _texts(reader)] == [[], []]
        _announce(database, "third")
        assert _texts(reader) == []
    assert _texts(reader) == ["first", "second", "third"]


@only_there
def test_a_gap_is_passed_although_somebody_always_writes(database: Database) -> None:
    """As soon as its own writer is done what follows a number is told, whoever has begun meanwhile."""
    reader = EventLog(database)
    with database.transaction() as second:
        with database.transaction() as first:
            events.log(first, Announced("1"))
            first.flush()
            _announce(database, "2")
            assert _texts(reader) == []
            events.log(second, Announced("3"))
            second.flush()
            _announce(database, "4")
            assert _texts(reader) == []
        assert _texts(reader) == ["1", "2"]
        with database.transaction() as third:
            assert _texts(reader) == []
            events.log(third, Announced("5"))
            third.flush()
            _announce(database, "6")
            second.commit()
            assert _texts(reader) == ["3", "4"]
    assert _texts(reader) == ["5", "6"]


@only_there
def test_a_number_that_is_taken_back_is_passed(database: Database) -> None:
    """Who gave up leaves a gap, which nobody waits for; one who began after it does not hold it up."""
    reader = EventLog(database)
    with database.transaction() as given_up:
        events.log(given_up, Announced("never"))
        given_up.flush()
        _announce(database, "one")
        assert _texts(reader) == []
        given_up.rollback()
    with database.transaction() as later:
        events.log(later, Announced("two"))
        later.flush()
        assert _texts(reader) == ["one"]
    assert _texts(reader) == ["two"]


@only_there
def test_the_end_is_behind_whoever_writes(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody begins at an end before which something may still appear."""
    monkeypatch.setattr(log, "PATIENCE_SECONDS", 0.05)
    reader = EventLog(database)
    with database.transaction() as slow:
        events.log(slow, Announced("first"))
        slow.flush()
        _announce(database, "second")
        with pytest.raises(UnavailableError):
            reader.go_to_end()
    reader.go_to_end()
    assert _texts(reader) == []


def test_word_is_sent_after_what_it_is_about(database: Database) -> None:
    """Who hears that there is something new finds it; of what is taken back nobody is told."""
    heard: list[list[str]] = []
    reader = EventLog(database)
    telling = Database(
        str(database.engine.url.render_as_string(hide_password=False)),
        on_news=lambda: heard.append(_texts(reader)),
    )
    _announce(telling, "a")
    with telling.transaction():
        pass
    with pytest.raises(ZeroDivisionError):
        _fail(telling)
    telling.close()
    assert heard == [["a"]]


def _fail(database: Database) -> None:
    with database.transaction() as session:
        events.log(session, Announced("b"))
        raise ZeroDivisionError
