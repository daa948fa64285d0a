"""The store of recordings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import obstore
import pytest

from workers.core.errors import RecordingError, RecordingMissingError
from workers.simulation import recordings
from workers.simulation.recordings import RecordingStore


@pytest.fixture
def store(tmp_path: Path) -> RecordingStore:
    """A store with one part of two pieces."""
    store, part = RecordingStore(f"file://{tmp_path}/records"), tmp_path / "part"
    part.write_bytes(b"x" * (recordings.PIECE_BYTES + 1))
    store.put(7, 0, part)
    return store


def test_a_part_is_given_as_it_was_put(store: RecordingStore) -> None:
    """A part comes back whole in pieces, and one that was never put is said to be missing."""
    assert b"".join(store.get(7, 0)) == b"x" * (recordings.PIECE_BYTES + 1)
    with pytest.raises(RecordingMissingError, match="does not have the part"):
        store.get(7, 4)


def test_a_store_that_fails_while_it_gives_is_told_in_its_words(
    store: RecordingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads on needs to know of no library."""

    class Broken:
        def stream(self, **_: Any) -> Iterator[bytes]:
            yield b"the beginning"
            raise OSError("the disk is gone\nand more")

    monkeypatch.setattr(obstore, "get", lambda *_: Broken())
    pieces = store.get(7, 0)
    assert next(pieces) == b"the beginning"
    with pytest.raises(RecordingError, match=r"does not give the part: the disk is gone$"):
        next(pieces)


def test_parts_are_listed_and_removed_by_their_names(
    store: RecordingStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name tells the experiment; what is gone may be removed again, and a store that fails is told."""
    store.put(12, 40, tmp_path / "part")
    assert [store.experiment_of(name) for name in store.names()] == [12, 7]
    assert store.experiment_of("something/else") is None
    for name in [*store.names(), *store.names()]:
        store.remove(name)
    assert store.names() == []

    def refuse(*_: Any) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(obstore, "delete", refuse)
    monkeypatch.setattr(obstore, "list", refuse)
    with pytest.raises(RecordingError, match="lets nothing go: the disk is gone"):
        store.remove("experiment-7/0")
    with pytest.raises(RecordingError, match="the disk is gone"):
        store.names()
