"""How far a simulation has come, on disk: a run that was killed goes on from there, to the same numbers.

One file for each simulation, named after its digest. It is replaced as a whole, so that there is always one
to go on from; its first line is the SHA-256 of the second. Nothing in it depends on how the games were split.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pydantic import Field, ValidationError

from engines.locking import try_lock
from workers.core.contract import Frozen
from workers.core.errors import WorkerError
from workers.simulation.contract import CHECK_EVERY, Block, SimulationSpec, Tally
from workers.simulation.prefix import Prefix, Stop

SECONDS: Final = 1.0
"""At most this often the file is written."""


class BusyError(WorkerError):
    """Another process is at the same simulation; wait for it, or end it."""


class _Stored(Frozen):
    """What stands in the file; `recorded` is not there in those of earlier versions."""

    digest: str
    rule: str
    tally: Tally = Field(default_factory=Tally)
    waiting: tuple[Block, ...] = ()
    recorded: int | None = None


class Journal:
    """The journal of one simulation, locked against every other process while it is open.

    To be used in a with block. `rule` names the stopping rule, if there is one: with another rule it is
    another simulation. `trouble` says why a file that was there could not be used, else it is empty.
    `recorded` is the CRC-32 of the lines of all games without a gap, as they were handed on; None if unknown.

    Raises:
        BusyError: another process has it open.
        OSError: the folder cannot be written.
    """

    def __init__(self, folder: Path, spec: SimulationSpec, rule: str = "") -> None:
        name = hashlib.sha256(f"{spec.digest} {rule}".encode()).hexdigest()[:32]
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.journal"
        self.trouble = ""
        self.recorded: int | None = 0
        self._spec = spec
        self._empty = _Stored(digest=spec.digest, rule=rule, recorded=0)
        self._written = 0.0
        self._lock = _locked(folder / f"{name}.lock")

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lock back; the file stays unless `finish` was called."""
        Path(self.path.with_suffix(".lock")).unlink(missing_ok=True)
        os.close(self._lock)

    def forget(self) -> None:
        """Begin anew, whatever was there."""
        self.path.unlink(missing_ok=True)

    def load(self, stop: Stop | None = None, every: int = CHECK_EVERY) -> Prefix:
        """Where the simulation stands; at its beginning if there is no file, or `trouble` with it."""
        kept = self._empty
        try:
            kept = self._read(self.path.read_text())
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            words = "it is of another version" if isinstance(error, ValidationError) else str(error)
            self.trouble = f"the journal {self.path} cannot be used: {words}"
        self.recorded = kept.recorded
        return Prefix(kept.tally, kept.waiting, stop, every)

    def _read(self, text: str) -> _Stored:
        digest, _, body = text.partition("\n")
        if hashlib.sha256(body.encode()).hexdigest() != digest:
            raise ValueError("it is damaged")
        kept = _Stored.model_validate_json(body)
        if (kept.digest, kept.rule) != (self._empty.digest, self._empty.rule):
            raise ValueError("it is of another simulation")
        return kept

    def hand_on(self, blocks: Iterable[Block]) -> None:
        """The lines of these blocks were written down, after those of before."""
        for block in blocks:
            if self.recorded is not None:
                self.recorded = zlib.crc32(block.written, self.recorded)

    def save(self, prefix: Prefix, *, now: bool = False) -> None:
        """Write where the simulation stands, unless the last time was just before and not `now` asks for it.

        Blocks that hold their games are played again rather than kept here.

        Raises:
            OSError: it cannot be written, told with its name; what was written before stays.
        """
        if not now and time.monotonic() - self._written < SECONDS:
            return
        waiting = () if self._spec.record_games else tuple(prefix.waiting.values())
        kept = self._empty.model_copy(
            update={"tally": prefix.tally, "waiting": waiting, "recorded": self.recorded}
        )
        text = kept.model_dump_json()
        fresh = self.path.with_suffix(".new")
        try:
            fresh.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}")
            fresh.replace(self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self._written = time.monotonic()

    def finish(self) -> None:
        """The simulation has ended: nothing needs to be kept."""
        self.path.unlink(missing_ok=True)


def _locked(path: Path) -> int:
    """A descriptor that holds the lock on `path`, which another process may just be removing."""
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not try_lock(lock):
            os.close(lock)
            raise BusyError(f"another process is at this simulation (it holds {path})")
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(lock).st_ino == path.stat().st_ino:
                return lock
        os.close(lock)
