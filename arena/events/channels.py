"""Channels: what readers of one kind are told, made into bytes once for all of them.

A channel keeps its latest frames. Each reader only remembers how far it is, so that one who reads slowly
costs nothing; who falls out of what is kept is told so, and comes back with the number that it had.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from arena.events.visible import event_of, frame
from arena.store.event_log import LoggedEvent, Progress
from arena.store.models.event_types import EventKind

MAX_FRAMES = 5000
MAX_BYTES = 2**20
"""What a channel keeps at most."""
CHUNK_BYTES = 64 * 1024
"""So much is handed to a reader at once, so that one who does not take it holds no more."""
TAKING = {
    EventKind.TOKEN_REVOKED,
    EventKind.USER_ROLE_SET,
    EventKind.USER_DISABLED,
    EventKind.USER_ERASED,
    EventKind.ORGANISER_REMOVED,
}
"""After these somebody may see less than before: who sees what is the staff's has to come back."""


class Far(NamedTuple):
    """How far tournaments are, by their ids: as the staff sees it, and everybody else."""

    staff: dict[int, Progress]
    public: dict[int, Progress]

    def of(self, *, staff: bool) -> dict[int, Progress]:
        """As one of the two sees it."""
        return self.staff if staff else self.public


class Scope(NamedTuple):
    """What readers of a channel want: all of the arena's events, or those of a tournament or a match, by ids.

    `moves` are told only of a match, or of a tournament where that is asked for. What only the staff may see
    is in channels of their own.
    """

    tournament: int | None
    match: int | None
    moves: bool
    staff: bool

    def has(self, tournament: int | None, match: int | None) -> bool:
        """Whether an event of these belongs here."""
        if self.match is not None:
            return match == self.match
        return self.tournament is None or tournament == self.tournament


class TooSlowError(Exception):
    """A reader is so far behind that what it has not read is not kept any more."""


class Channel:
    """The frames of a scope; `floor` is the number after which every event is among them."""

    def __init__(self, scope: Scope, floor: int) -> None:
        self.scope = scope
        self.floor = floor
        self.readers = 0
        self._is_over = False
        self._frames: deque[tuple[int | None, bytes]] = deque()
        self._bytes = 0
        self._first = 0
        self._chunk: tuple[int, int, bytes] = (0, 0, b"")
        self._news = asyncio.Event()

    @property
    def end(self) -> int:
        """The position after the last frame."""
        return self._first + len(self._frames)

    def position_after(self, number: int) -> int:
        """Where to read on with the first event whose number is greater; it must not be below the floor."""
        for index, (each, _) in enumerate(self._frames):
            if each is not None and each > number:
                return self._first + index
        return self.end

    def add(self, frame: bytes, number: int | None = None) -> None:
        """Append a frame; `wake` tells the readers."""
        self._frames.append((number, frame))
        self._bytes += len(frame)
        while len(self._frames) > MAX_FRAMES or self._bytes > MAX_BYTES:
            dropped, old = self._frames.popleft()
            self._bytes -= len(old)
            self._first += 1
            self.floor = max(self.floor, dropped or 0)

    def wake(self) -> None:
        """Let all readers take what was added."""
        self._news.set()
        self._news = asyncio.Event()

    def chunk(self, position: int) -> tuple[int, bytes]:
        """The frames from that position on, and the position after them; the same for all who are as far.

        Raises:
            TooSlowError: they are not there any more.
        """
        if position < self._first:
            raise TooSlowError
        begin, end, chunk = self._chunk
        if begin != position or (end < self.end and len(chunk) < CHUNK_BYTES):
            end, chunk = self._join(position)
            self._chunk = position, end, chunk
        return end, chunk

    def _join(self, position: int) -> tuple[int, bytes]:
        frames, size = [], 0
        for _, each in islice(self._frames, position - self._first, None):
            frames.append(each)
            size += len(each)
            if size >= CHUNK_BYTES:
                break
        return position + len(frames), b"".join(frames)

    async def news(self) -> None:
        """Return when something was added after this was called.

        Raises:
            TimeoutError: nothing will be, as the channel is at its end.
        """
        self.require_open(None)
        await self._news.wait()

    def send_away(self) -> None:
        """Have all readers go; they come back, and are asked again who they are."""
        self._is_over = True
        self.wake()

    def require_open(self, until: float | None) -> None:
        """Let nobody go on who has to go; to be asked often, as who always has something to read never waits.

        Raises:
            TimeoutError: the loop's clock says `until`, or the channel is at its end.
        """
        if self._is_over or (until is not None and asyncio.get_running_loop().time() >= until):
            raise TimeoutError


def tell(line: LoggedEvent, channels: Sequence[Channel]) -> None:
    """Add an event to those channels of one audience where it belongs."""
    here = [each for each in channels if each.scope.has(line.tournament_id, line.match_id)]
    event = event_of(line, staff=here[0].scope.staff) if here else None
    if event:
        told = frame(event.kind, event.model_dump_json(), event.number)
        for channel in here:
            channel.add(told, line.number)
    for channel in channels:
        if _outdates(line, channel.scope):
            channel.floor = max(channel.floor, line.number)


def _outdates(line: LoggedEvent, scope: Scope) -> bool:
    """Whether who comes back reads from the log what was before an event, as what is kept is outdated.

    After a reveal it lacks what was hidden; after somebody was erased it has their name.
    """
    if line.kind is EventKind.TOURNAMENT_REVEALED:
        return scope.tournament in (None, line.tournament_id)
    return line.kind is EventKind.USER_ERASED


def has_to_come_back(scope: Scope, lines: Sequence[LoggedEvent]) -> bool:
    """Whether readers have to go after these events: they come back with the last number that they have.

    Of the staff each may see less by then. Who follows a match is told after a reveal what was hidden of it.
    """
    if scope.staff:
        return any(line.kind in TAKING for line in lines)
    revealed = {line.tournament_id for line in lines if line.kind is EventKind.TOURNAMENT_REVEALED}
    return scope.match is not None and scope.tournament in revealed
