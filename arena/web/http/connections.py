"""Who may be connected, and how long they may take: `uvicorn --http arena.web.http.connections:Guarded`.

uvicorn waits for a request's headers as long as its sender likes, and keeps as many of them as there are
descriptors; here whoever waits longest gives way, and no request is broken off for another one.
"""

from __future__ import annotations

import asyncio
import fcntl
import math
import resource
import socket
import struct
import sys
import termios
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from arena.core.addresses import is_here
from arena.people.attempts import network_of

MAX_DESCRIPTORS = 16_384
SPARED_DESCRIPTORS = 256
"""Files, databases, the broker and calculators need some too."""
MIN_TAKEN_BYTES = 16 * 1024
VANISHED_SECONDS = 60
"""Who takes nothing of what was sent for so long is there no more; the kernel alone waits for 15 minutes."""
HANDSHAKE_SECONDS = 10.0
"""Before TLS is agreed on there is no connection yet that could be counted."""
HERE = ""
"""The address of all who are on this machine, or come by a socket of the file system."""


@dataclass(frozen=True)
class Limits:
    """How many connections there may be, of one address too, and what a request's headers may take.

    Headers are there within `head_seconds` after the connection or the last answer, and have `head_bytes` at
    most, as what follows a body in chunks. Whoever takes nothing of an answer for as long is not waited for
    either.
    """

    most: int = 4096
    most_of_one: int = 3072
    head_seconds: float = 15.0
    head_bytes: int = 64 * 1024


class Room:
    """The connections of a process: which there are, and which of them wait for a request."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._addresses: dict[Guarded, str] = {}
        self._of: Counter[str] = Counter()
        self._waiting: dict[str, dict[Guarded, float]] = {}
        self._looking = False

    def enter(self, connection: Guarded, address: str) -> bool:
        """Let a connection in, if need be for one that waits for its request; whether there is room."""
        address = _counted(address)
        while len(self._addresses) >= self.limits.most or self._is_full_of(address):
            crowd = address if self._is_full_of(address) else max(self._waiting, key=self._count, default="")
            oldest = next(iter(self._waiting.get(crowd, ())), None)
            if oldest is None:
                return False
            self.leave(oldest)
            oldest.abort()
        self._addresses[connection] = address
        self._of[address] += 1
        self.waits(connection)
        self._look_later()
        return True

    def leave(self, connection: Guarded) -> None:
        """Count a connection no more."""
        self.works(connection)
        address = self._addresses.pop(connection, None)
        if address is not None:
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    def waits(self, connection: Guarded) -> None:
        """A request is expected from a connection from now on."""
        address = self._addresses.get(connection)
        if address is not None:
            self._waiting.setdefault(address, {})[connection] = asyncio.get_running_loop().time()

    def works(self, connection: Guarded) -> None:
        """A request is there."""
        address = self._addresses.get(connection, "")
        waiting = self._waiting.get(address)
        if waiting is not None and waiting.pop(connection, None) is not None and not waiting:
            del self._waiting[address]

    def _is_full_of(self, address: str) -> bool:
        """Whether so many are of one address."""
        return address != HERE and self._of[address] >= self.limits.most_of_one

    def _count(self, address: str) -> int:
        return len(self._waiting[address])

    def _look_later(self) -> None:
        if self._addresses and not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_later(self.limits.head_seconds / 8, self._look)

    def _look(self) -> None:
        """End what has waited, or was waited for, too long; and look again later while anybody is there."""
        self._looking = False
        now = asyncio.get_running_loop().time()
        for connection in [each for each in self._addresses if not each.takes(now)]:
            self.leave(connection)
            connection.abort()
        late = []
        for waiting in self._waiting.values():
            for connection, since in waiting.items():
                if since > now - self.limits.head_seconds:
                    break  # the others have come later
                late.append(connection)
        for connection in late:
            self.works(connection)
            connection.be_late()
        self._look_later()


def _counted(address: str) -> str:
    """With whom an address is counted: this machine, where a proxy may be, can have the whole room."""
    return network_of(address) if address and not is_here(address) else HERE


def _wire_of(transport: Any) -> asyncio.Transport:
    """Where what was written waits until it is taken: below TLS, which tells nothing of it."""
    secured = getattr(transport, "_ssl_protocol", None)
    wire: asyncio.Transport = transport if secured is None else getattr(secured, "_transport")  # noqa: B009
    return wire


def _on_its_way(wire: asyncio.Transport) -> int:
    """What the kernel has and the other end has not: it is much, and room for more comes in large steps."""
    there = wire.get_extra_info("socket")
    if there is None or sys.platform != "linux":
        return 0
    told = fcntl.ioctl(there.fileno(), termios.TIOCOUTQ, bytes(4))
    return int(struct.unpack("i", told)[0])


def _give_up_who_vanishes(wire: asyncio.Transport) -> None:
    """Have the kernel end a connection whose other end has gone without a word, as a laptop that is shut."""
    there = wire.get_extra_info("socket")
    if there is not None and sys.platform == "linux" and there.family in {socket.AF_INET, socket.AF_INET6}:
        there.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * VANISHED_SECONDS)


def raise_descriptors() -> int:
    """Have as many descriptors as this process may, within reason; how many those are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def limits_here() -> Limits:
    """The limits of this process, by the descriptors that it may have."""
    most = min(Limits.most, max(16, raise_descriptors() - SPARED_DESCRIPTORS))
    return Limits(most=most, most_of_one=most * 3 // 4)


class Guarded(HttpToolsProtocol):
    """One connection; of a server in its own process, which shares the `room`."""

    room: ClassVar[Room | None] = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = type(self)
        if kind.room is None:
            kind.room = Room(limits_here())
        self._room: Room = kind.room
        self._refused = False
        self._wire: asyncio.Transport
        self._in_head, self._in_message = False, False
        self._bare_bytes = 0
        self._goes_on = False
        self._to_take, self._taken_at = math.inf, 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take part, or be sent away where there is no room."""
        super().connection_made(transport)
        self._wire = _wire_of(transport)
        for each in (transport, self._wire):
            each.set_write_buffer_limits(high=1)  # who answers goes on when all has been taken
        _give_up_who_vanishes(self._wire)
        if not self._room.enter(self, self.client[0] if self.client else ""):
            self._refuse(503, "more are connected than can be served; try again in a moment", "5")

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room."""
        self._room.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, as far as headers, or what comes instead of a body, are not too long."""
        if self._refused:
            return
        self._goes_on = False
        super().data_received(data)
        self._bare_bytes = self._bare_bytes + len(data) if self._in_message and not self._goes_on else 0
        if self._bare_bytes > self._room.limits.head_bytes:
            self._refuse(431, f"the headers have more than {self._room.limits.head_bytes} bytes")

    def on_message_begin(self) -> None:
        """Read headers."""
        super().on_message_begin()
        self._in_head, self._in_message, self._goes_on = True, True, False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, but none that follows the body: the application has the others by then."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Have the request answered."""
        self._in_head, self._goes_on = False, True
        self._room.works(self)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Read the body."""
        self._goes_on = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        """All of the request is there."""
        self._in_message = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request; also for the rest of this one, where the answer did not need it."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._room.waits(self)

    def resume_writing(self) -> None:
        """All has been taken."""
        self._to_take = math.inf
        super().resume_writing()

    def takes(self, now: float) -> bool:
        """Whether what was written is taken, if anything is left of it, and faster than not at all."""
        left = self._wire.get_write_buffer_size()
        if not left:
            self._to_take = math.inf
            return True
        left += _on_its_way(self._wire)
        if left <= self._to_take - MIN_TAKEN_BYTES:
            self._to_take, self._taken_at = left, now
        return now - self._taken_at < self._room.limits.head_seconds

    def be_late(self) -> None:
        """End, as no request came; while the answer is still being taken, `takes` says how long."""
        if self._wire.get_write_buffer_size():
            self._room.waits(self)
        elif self._in_head:
            self._refuse(408, "the request did not come in time")
        else:
            self._room.leave(self)
            self.abort()

    def abort(self) -> None:
        """End at once; what has not been taken is lost."""
        self._wire.abort()

    def _refuse(self, status: int, reason: str, retry_after: str = "") -> None:
        """Answer what no application is asked about, where no other answer goes out, and end."""
        self._refused = True
        self._room.leave(self)
        retry = f"retry-after: {retry_after}\r\n" if retry_after else ""
        body = f"{reason}\n"
        if not self._is_answering():
            self.transport.write(
                f"HTTP/1.1 {status} \r\ncontent-type: text/plain; charset=utf-8\r\n{retry}"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode()
            )
        if self._wire.get_write_buffer_size():  # nobody counts any more how long it takes
            self.abort()
        else:
            self.transport.close()

    def _is_answering(self) -> bool:
        """Whether an answer has begun, or will before the one to the request that is being read."""
        cycle = self.cycle
        return bool(self.pipeline) or (
            cycle is not None and cycle.response_started and not cycle.response_complete
        )
