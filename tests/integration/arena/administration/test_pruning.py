"""Retention: what bots wrote goes when it is old, and no result, move or sum with it."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm.exc import StaleDataError

from arena.administration import pruning
from arena.administration.opening import Opened
from arena.administration.pruning import Limits, Pruned, prune, prune_by_settings
from arena.core.clock import utc_now
from arena.core.terms import SignedInBy, TournamentState
from arena.store import copying
from arena.store import pruning as store
from arena.store.counters import counts
from arena.store.models import (
    Experiment,
    Match,
    Move,
    Result,
    Token,
    Tournament,
    VoidAttempt,
    WebSession,
)
from arena.tournaments import audit
from tests.integration.arena.administration.conftest import record
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World
from workers.core.errors import RecordingError
from workers.simulation.recordings import RecordingStore

SECRET = "my password is hunter2"
DAY = dt.timedelta(days=1)


@pytest.fixture
def talkative(arena: Opened, world: World) -> Opened:
    """An arena in which bots have written much: in a tournament long over, and in one of today."""
    world.tournament("today", bots=2)
    record(world, 1)
    with world.database.transaction() as session:
        for result in session.scalars(select(Result)):
            result.seats = [{**seat, "stderr_tail": SECRET, "stderr_bytes": 22} for seat in result.seats]
            result.forfeits = [{**each, "received": SECRET, "stderr_tail": ""} for each in result.forfeits]
        session.execute(update(Move).values(debug=SECRET))
        seats, told = [{"stderr_head": SECRET}, {"stderr_head": ""}], {"forfeits": [], "host": "pc-7"}
        first = session.scalars(select(Match.id).order_by(Match.id)).first()
        session.add(VoidAttempt(match_id=first, attempt=9, seats=seats, recorded_at=utc_now(), **told))
        over = update(Tournament).where(Tournament.name == "cup")
        session.execute(over.values(state=TournamentState.FINISHED, finished_at=utc_now() - 100 * DAY))
    return arena


def _rows(world: World, cup: str) -> dict[str, list[Any]]:
    """The results and moves of a tournament."""
    with world.database.reading() as session:
        of_cup = select(Match.id).join(Tournament).where(Tournament.name == cup)
        ids = set(session.scalars(of_cup))
        tables = copying.tables(session.connection())
        return {
            name: [row for row in copying.rows(session, tables[name]) if row[0] in ids]
            for name in ("results", "moves", "void_attempts")
        }


def test_what_bots_wrote_goes_from_what_is_over_long_ago(
    talkative: Opened, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is left there, how much it was is; what is younger stays, and all sums are right.

    It goes some games at a time, and what was cleared is not read again.
    """
    monkeypatch.setattr(pruning, "AT_ONCE", 2)
    transaction = Mock(side_effect=world.database.transaction)
    monkeypatch.setattr(world.database, "transaction", transaction)
    before = {cup: _rows(world, cup) for cup in ("cup", "today")}
    assert SECRET in str(before["cup"]["results"])
    assert SECRET in str(before["today"])
    done = prune(talkative, Limits(evidence=utc_now() - 99 * DAY))
    assert done.evidence == 2 * len(before["cup"]["results"]) + 1
    assert transaction.call_count > len(before["cup"]["results"]) / 2
    after = {cup: _rows(world, cup) for cup in ("cup", "today")}
    assert after["today"] == before["today"]
    assert SECRET not in str(after["cup"])
    assert "22" in str(after["cup"]["results"])
    assert [row[:5] for row in after["cup"]["moves"]] == [row[:5] for row in before["cup"]["moves"]]
    assert len(after["cup"]["results"]) == len(before["cup"]["results"])
    with world.database.reading() as session:
        assert audit.verify(session, world.get(session)) == []
        assert counts(session)["pruned"] == {"evidence": done.evidence}
    monkeypatch.setattr(store, "_cleared", Mock(side_effect=AssertionError("it was cleared already")))
    assert prune(talkative, Limits(evidence=utc_now() - 99 * DAY)) == Pruned()
    assert prune(talkative, Limits(evidence=utc_now() - 101 * DAY)) == Pruned()


def _take_away(world: World) -> None:
    with world.database.transaction() as session:
        session.execute(text("SET LOCAL lock_timeout = 1"))
        for model in (VoidAttempt, Result):
            session.execute(delete(model))


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_result_is_superseded_before_it_is_cleared_or_after(
    talkative: Opened, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading and clearing nobody takes it away, which would end the removal."""
    cleared, refused = store._cleared, list[str]()

    def meanwhile(rows: Any) -> Any:
        with pytest.raises(OperationalError) as refusal:
            _take_away(world)
        refused.append(str(refusal.value))
        return cleared(rows)

    monkeypatch.setattr(store, "_cleared", meanwhile)
    assert prune(talkative, Limits(evidence=utc_now() - 99 * DAY)).evidence
    assert refused
    assert all("lock timeout" in each for each in refused)


def test_old_recordings_go_and_their_numbers_stay(arena: Opened, world: World, tmp_path: Path) -> None:
    """Of an experiment that ended long ago, and not of the one that ended today."""
    lab = Lab(world)
    old, new = (lab.create(columns="game", chunk=None) for _ in range(2))
    part = tmp_path / "part"
    part.write_bytes(b"games")
    recordings = RecordingStore(world.settings.records_url)
    for number in (old, new):
        recordings.put(number, 0, part)
    with world.database.transaction() as session:
        session.execute(update(Experiment).values(finished_at=utc_now()))
        session.execute(
            update(Experiment).where(Experiment.id == old).values(finished_at=utc_now() - 10 * DAY)
        )
    assert prune(arena, Limits(recordings=utc_now() - 9 * DAY)) == Pruned(recordings=1)
    assert {recordings.experiment_of(name) for name in recordings.names()} == {new}
    assert lab.get(old).games == lab.get(new).games


def test_old_logs_go_and_those_in_use_stay(arena: Opened) -> None:
    """Of logs that were turned over, the old ones; never one that is written."""
    logs = arena.folder.logs
    then = (utc_now() - 10 * DAY).timestamp()
    for name in ("api.log", "api.log.1", "api.log.2"):
        (logs / name).write_text("a line")
        os.utime(logs / name, (then, then))
    os.utime(logs / "api.log.1")
    assert prune(arena, Limits(logs=utc_now() - 9 * DAY)) == Pruned(logs=1)
    assert {each.name for each in logs.iterdir()} == {"api.log", "api.log.1"}


def test_a_log_that_is_turned_over_meanwhile_is_passed_over(
    arena: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is gone between two looks at it; the others go all the same."""
    gone, old = (arena.folder.logs / f"api.log.{number}" for number in (1, 2))
    for path in (gone, old):
        path.write_text("a line")
        os.utime(path, (0, 0))
    is_file = Path.is_file

    def seen(path: Path) -> bool:
        there = is_file(path)
        if path == gone:
            path.unlink()
        return there

    monkeypatch.setattr(Path, "is_file", seen)
    assert prune(arena, Limits(logs=utc_now())) == Pruned(logs=1)
    assert not old.exists()


def test_tokens_that_are_good_no_more_go(arena: Opened, world: World) -> None:
    """Those that ended or were revoked long ago, but for one that somebody is signed in by."""
    now = utc_now()
    old, new = now - 10 * DAY, now - DAY
    ends = {
        "good": (None, None),
        "good for long": (now + 99 * DAY, None),
        "revoked": (None, old),
        "ended": (old, None),
        "revoked of late": (None, new),
        "ended of late": (new, None),
        "of a session": (old, None),
    }
    with world.database.transaction() as session:
        owner = world.staff.id
        for at, (name, (expires, revoked)) in enumerate(ends.items()):
            told = {"hash": f"{at}", "name": name, "expires_at": expires, "revoked_at": revoked}
            session.add(Token(user_id=owner, created_at=old, **told))
        session.flush()
        used = session.scalars(select(Token.id).where(Token.name == "of a session")).one()
        seen = {"created_at": old, "seen_at": now, "expires_at": now + DAY}
        how = {"signed_in_by": SignedInBy.TOKEN, "browser": "", "address": ""}
        session.add(WebSession(user_id=owner, hash="s", token_id=used, **seen, **how))
    assert prune(arena, Limits(tokens=now - 9 * DAY)) == Pruned(tokens=2)
    with world.database.reading() as session:
        assert set(session.scalars(select(Token.name).where(Token.hash.in_(map(str, range(len(ends))))))) == {
            name for name in ends if name not in ("revoked", "ended")
        }


def test_the_settings_say_what_goes(talkative: Opened, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default nothing does. What cannot be removed is told, and keeps nothing else from going."""
    logs = talkative.folder.logs
    (logs / "api.log.1").write_text("a line")
    os.utime(logs / "api.log.1", (0, 0))
    now = utc_now()
    assert prune_by_settings(talkative, now)
    assert (logs / "api.log.1").exists()
    days = {f"keep_{name}_days": 99 for name in ("evidence", "recordings", "logs", "tokens")}
    arena = talkative._replace(settings=talkative.settings.model_copy(update=days))
    monkeypatch.setattr(RecordingStore, "names", Mock(side_effect=RecordingError("away")))
    assert not prune_by_settings(arena, now)
    assert not (logs / "api.log.1").exists()
    assert SECRET not in str(_rows(world, "cup"))
    assert SECRET in str(_rows(world, "today"))
    monkeypatch.undo()
    assert prune_by_settings(arena, now)


@pytest.mark.parametrize(
    ("place", "error"),
    [("_evidence", StaleDataError("changed")), ("Path.unlink", PermissionError("not yours"))],
)
def test_what_fails_in_one_kind_keeps_no_other_from_going(
    arena: Opened, world: World, monkeypatch: pytest.MonkeyPatch, *, place: str, error: Exception
) -> None:
    """Neither a log that cannot be removed nor rows that others have changed: old tokens go all the same."""
    log = arena.folder.logs / "api.log.1"
    log.write_text("a line")
    os.utime(log, (0, 0))
    with world.database.transaction() as session:
        session.execute(update(Token).values(revoked_at=utc_now() - 99 * DAY))
    days = {f"keep_{name}_days": 9 for name in ("evidence", "logs", "tokens")}
    arena = arena._replace(settings=arena.settings.model_copy(update=days))
    monkeypatch.setattr(f"arena.administration.pruning.{place}", Mock(side_effect=error))
    assert not prune_by_settings(arena, utc_now())
    assert not any(_tokens(world))


def _tokens(world: World) -> list[str]:
    with world.database.reading() as session:
        return list(session.scalars(select(Token.name)))
