"""Processes of reusable bots, kept from one match to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import NamedTuple

from workers.core.contract import MEGABYTE, Limits
from workers.core.errors import LaunchError
from workers.core.halt import Halt
from workers.play.session import Session
from workers.sandbox.confinement import Confined, Confinement, Startable
from workers.sandbox.levels import ByTrust


class Room(NamedTuple):
    """What may be kept at most: so many processes, with so much memory together, each for so long."""

    sessions: int
    memory_mb: int
    seconds: float


class _IdleSession(NamedTuple):
    """An idle session, for what it may be taken again, and since when it is idle.

    Its bytes of memory are known where the pool has a room.
    """

    key: Hashable
    session: Session
    memory: int
    since: float


class SessionPool:
    """Keeps the processes of reusable bots between matches, for one caller in one thread.

    They are started by `confinement`; without one, by what `ByTrust` finds suitable. Without a `room` all are
    kept until the pool is closed. Where there is no more room the newcomer is ended, not the one that has
    waited longest: bots that come again in turn would otherwise each be ended just before their next match.

    The pool is a confinement itself, for what is not kept too: whoever is to play goes before what is idle.
    """

    def __init__(
        self,
        confinement: Confinement | None = None,
        room: Room | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._confinement = confinement or ByTrust()
        self._room = room
        self._monotonic = monotonic
        self._idle: list[_IdleSession] = []

    def take(
        self, program: Startable, limits: Limits, whose: Hashable = None, halt: Halt | None = None
    ) -> Session:
        """An idle session of that program, under these limits and of the same owner, or a new one.

        Whose it is is told by `whose`: what belongs to different ones never shares a process. `halt` breaks
        its match off. One that has ended while it was idle, or that cannot be put on the cores of the
        caller's thread, is no fault of its bot: it is not taken.
        """
        session = self._idle_one((program, limits, whose)) or Session(program, limits, self)
        session.heed(halt)
        return session

    def _idle_one(self, key: Hashable) -> Session | None:
        for kept in [kept for kept in self._idle if kept.key == key]:
            self._idle.remove(kept)
            if kept.session.goes_on():
                return kept.session
            kept.session.kill()
        return None

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot; see `Confinement.launch`. Where there is no room for it what is idle is ended."""
        try:
            return self._confinement.launch(program, limits, writable=writable)
        except LaunchError:
            if not self._idle:
                raise
            self.close()
            return self._confinement.launch(program, limits, writable=writable)

    def release(self, program: Startable, limits: Limits, session: Session, whose: Hashable = None) -> None:
        """Keep a session whose match ended well if it can play another and there is room, else close it."""
        session.heed(None)
        if session.can_stay():
            memory = session.most_memory() if self._room else 0
            if self._has_room(memory):
                self._idle.append(_IdleSession((program, limits, whose), session, memory, self._monotonic()))
                return
        session.close()

    def _has_room(self, memory: int) -> bool:
        if self._room is None:
            return True
        taken = sum(kept.memory for kept in self._idle)
        most = self._room.memory_mb * MEGABYTE
        return len(self._idle) < self._room.sessions and taken + memory <= most

    def tidy(self) -> None:
        """End what has been idle for too long."""
        if self._room is not None:
            oldest = self._monotonic() - self._room.seconds
            self._end([kept for kept in self._idle if kept.since < oldest])

    def close(self) -> None:
        """End all idle processes."""
        self._end(list(self._idle))

    def _end(self, ended: list[_IdleSession]) -> None:
        for kept in ended:
            self._idle.remove(kept)
            kept.session.kill()
