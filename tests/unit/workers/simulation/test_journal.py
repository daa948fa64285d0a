"""How far a simulation has come, on disk."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.unit.workers.simulation.specs import spec_of
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulationSpec
from workers.simulation.journal import SECONDS, BusyError, Journal
from workers.simulation.prefix import Prefix

SPEC = spec_of(games=1000)


def _half(spec: SimulationSpec = SPEC) -> Prefix:
    prefix = Prefix()
    for start in (0, 200, 600):
        for block in play_chunk(spec, start, 100):
            prefix.add(block)
    return prefix


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    """Tally and waiting blocks come back; another spec or rule finds nothing."""
    with Journal(tmp_path, SPEC) as journal:
        assert journal.load().games == 0
        journal.save(_half())
    with Journal(tmp_path, SPEC) as journal:
        prefix = journal.load()
        assert prefix.tally == _half().tally
        assert prefix.waiting == _half().waiting
        assert journal.trouble == ""
    for other in (Journal(tmp_path, SPEC, "rule"), Journal(tmp_path, spec_of(games=1000, seed=6))):
        with other as journal:
            assert journal.load().games == 0


def test_a_finished_or_forgotten_simulation_leaves_nothing(tmp_path: Path) -> None:
    """Neither the journal nor its lock stays in the folder."""
    for end in (Journal.finish, Journal.forget):
        with Journal(tmp_path, SPEC) as journal:
            journal.save(_half())
            end(journal)
        assert list(tmp_path.iterdir()) == []


def test_it_is_not_written_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A save soon after the last one changes nothing until its time has come, or it is asked for at once."""
    clock = [100.0]
    monkeypatch.setattr("workers.simulation.journal.time", SimpleNamespace(monotonic=lambda: clock[0]))
    with Journal(tmp_path, SPEC) as journal:
        for asked in (False, True):
            journal.save(Prefix(), now=True)
            before = journal.path.read_bytes()
            clock[0] += 0.9 * SECONDS
            journal.save(_half())
            assert journal.path.read_bytes() == before
            clock[0] += 0 if asked else 0.2 * SECONDS
            journal.save(_half(), now=asked)
            assert journal.path.read_bytes() != before


def test_two_runs_of_the_same_simulation_are_refused(tmp_path: Path) -> None:
    """While one has the journal open no other gets it; afterwards it does."""
    with Journal(tmp_path, SPEC):
        with pytest.raises(BusyError, match="another process"):
            Journal(tmp_path, SPEC)
        with Journal(tmp_path, SPEC, "another rule"):
            pass
    with Journal(tmp_path, SPEC) as journal:
        journal.save(_half())


@pytest.mark.parametrize("where", [0, 70, -1])
def test_a_damaged_journal_is_told_of(tmp_path: Path, where: int) -> None:
    """Any byte that changed is noticed, and the simulation stands at its beginning."""
    with Journal(tmp_path, SPEC) as journal:
        journal.save(_half())
    data = bytearray(journal.path.read_bytes())
    data[where] ^= 1
    journal.path.write_bytes(data)
    with Journal(tmp_path, SPEC) as journal:
        assert journal.load().games == 0
        assert "damaged" in journal.trouble


def test_a_cut_journal_and_one_that_is_none_are_told_of(tmp_path: Path) -> None:
    """Half a file, an empty one and bytes that are no text do no harm."""
    with Journal(tmp_path, SPEC) as journal:
        journal.save(_half())
    data = journal.path.read_bytes()
    for wrong in (data[: len(data) // 2], b"", b"\xff\xfe\x00"):
        journal.path.write_bytes(wrong)
        with Journal(tmp_path, SPEC) as again:
            assert again.load().games == 0
            assert str(journal.path) in again.trouble


def test_the_journal_of_another_simulation_is_not_used(tmp_path: Path) -> None:
    """A file under the wrong name is recognised by what it says."""
    with Journal(tmp_path, SPEC) as journal:
        journal.save(_half())
    with Journal(tmp_path, spec_of(games=1000, seed=6)) as other:
        journal.path.rename(other.path)
        assert other.load().games == 0
        assert "another simulation" in other.trouble


def test_blocks_with_games_are_not_kept_waiting(tmp_path: Path) -> None:
    """Where games are recorded only those without a gap count: the others' moves are not in the journal."""
    spec = spec_of(games=1000, record_games=True)
    with Journal(tmp_path, spec) as journal:
        journal.save(_half(spec))
        prefix = journal.load()
        assert (prefix.games, prefix.waiting) == (100, {})
