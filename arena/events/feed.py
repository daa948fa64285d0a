"""The feed: reads the log of events once for a process, and gives it to all who follow it there.

It looks when the bell rings and every few seconds without, and only while somebody follows. The database is
asked in threads, by connections of the feed's own; who follows holds none.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, ParamSpec, TypeVar

import redis
import structlog
from anyio import to_thread
from sqlalchemy.exc import SQLAlchemyError

from arena.core.errors import UnavailableError
from arena.events.bell import AsyncListener
from arena.events.channels import Channel, Far, Scope, has_to_come_back, tell
from arena.events.live import LiveReader
from arena.events.log import EventLog
from arena.events.visible import event_of, frame, is_hidden, progress_of
from arena.schemas.events import LiveMoves
from arena.store import event_log as store
from arena.store import freezes
from arena.store.database import Database
from arena.store.event_log import LoggedEvent, Progress, Running

LOOK_SECONDS = 2.0
"""So often it looks although nobody rings."""
GAP_SECONDS = 0.05
"""So long after a look comes the next one at the earliest; what happens meanwhile is told together."""
MOVES_SECONDS = 0.2
BATCH = 500
MAX_LIVE = 200
"""So many matches are told move by move at once; the readers of others see their results."""
MAX_FOLLOWERS = 1000
MAX_OF_ONE = 250
"""So many of these may come from one address: a class may sit behind it, and nobody takes all places."""
CONNECTIONS = 2
"""One for the log, and one for those who ask for what was before."""

P = ParamSpec("P")
T = TypeVar("T")

log = structlog.get_logger()


class _Batch(NamedTuple):
    """Events, how far their tournaments are since, and the matches that are being played; None: as before."""

    lines: Sequence[LoggedEvent]
    progress: Far
    running: Sequence[Running] | None


class Feed:
    """The events of an arena in one event loop."""

    def __init__(self, database: Database, broker_url: str) -> None:
        self._database = database
        self._threads = ThreadPoolExecutor(CONNECTIONS, "feed")
        self._log = EventLog(database)
        self._bell = AsyncListener(broker_url)
        self._live = LiveReader(broker_url)
        self._channels: dict[Scope, Channel] = {}
        self._followers = Counter[str]()
        self._position = 0
        """The number up to which everybody was told all there is."""
        self._turn = asyncio.Lock()
        self._history = asyncio.Lock()
        self._wanted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._next_look: asyncio.Task[None] | None = None
        self._looks: set[asyncio.Task[None]] = set()
        self._recount = False
        self._closed = False
        self._progress_told: dict[tuple[int, bool], Progress] = {}

    async def _ask(self, question: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What the database says, in a thread of the feed's own."""
        asked = partial(question, *arguments, **named)
        return await asyncio.get_running_loop().run_in_executor(self._threads, asked)

    @contextlib.contextmanager
    def follower(self, site: str) -> Iterator[None]:
        """A place among those who follow, for somebody at that site, for as long as the context lasts.

        Raises:
            UnavailableError: there are as many as there may be, here or of that site.
        """
        if self._followers.total() >= MAX_FOLLOWERS:
            raise UnavailableError("as many follow the arena as it can serve; try again in a moment")
        if self._followers[site] >= MAX_OF_ONE:
            raise UnavailableError(
                f"{MAX_OF_ONE} follow the arena from your address, as many as may; try again in a moment"
            )
        self._followers[site] += 1
        try:
            yield
        finally:
            self._followers[site] -= 1
            if not self._followers[site]:
                del self._followers[site]

    async def follow(
        self, scope: Scope, after: int | None, until: float | None = None
    ) -> AsyncIterator[bytes]:
        """What happens in a scope, in pieces of whole frames: after that number, or from now on.

        It ends when the loop's clock says `until`, and for the staff when somebody may see less than before.

        Raises:
            TooSlowError: whoever reads this takes too long.
            SQLAlchemyError, UnavailableError: the database does not answer.
        """
        channel = await self._joined(scope)
        try:
            async with asyncio.timeout_at(until):
                number = await self._start(after)
            if after is not None and number != after:
                yield frame("reset", {"number": number}, number)
            while number < channel.floor:
                floor = channel.floor
                lines = await self._before(scope, number, floor)
                number = lines[-1].number if len(lines) == BATCH else floor
                if found := b"".join(self._frames(scope, lines)):
                    yield found
                channel.require_open(until)
            async with asyncio.timeout_at(until):
                while number > self._position:  # this process has not read as far as the reader
                    await channel.news()
            position = channel.position_after(number)
            yield f"id: {number}\n".encode() + await self._present(channel)
            while True:
                channel.require_open(until)
                position, chunk = channel.chunk(position)
                if chunk:
                    yield chunk
                else:
                    async with asyncio.timeout_at(until):
                        await channel.news()
        except TimeoutError:
            return
        finally:
            channel.readers -= 1
            if not channel.readers and self._channels.get(scope) is channel:
                del self._channels[scope]

    async def _start(self, after: int | None) -> int:
        """The number after which a reader begins who wants to read on after that one.

        It is another one where that is of a database of which this one was not made.
        """
        number = self._position if after is None else after
        if number > self._position or self._recount:
            await self._looked()
        if after is not None and await self._ask(self._is_of_another, number):
            return self._position
        return number

    def _is_of_another(self, number: int) -> bool:
        with self._database.reading() as session:
            return number > store.last_number(session) or store.is_lost(session, number)

    async def _joined(self, scope: Scope) -> Channel:
        """The channel of a scope, with one reader more; the feed runs while there are channels."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(each()) for each in (self._keep_looking, self._keep_up)]
        while not self._wanted.is_set():
            await self._looked()
        channel = self._channels.get(scope)
        if channel is None:
            channel = self._channels[scope] = Channel(scope, self._position)
            self._recount = self._recount or scope.moves
        channel.readers += 1
        return channel

    async def _before(self, scope: Scope, after: int, up_to: int) -> list[LoggedEvent]:
        """Events of a scope that are not kept; one question at a time."""

        def read() -> list[LoggedEvent]:
            with self._database.reading() as session:
                return store.after(
                    session, after, BATCH, up_to=up_to, tournament=scope.tournament, match=scope.match
                )

        async with self._history:
            return await self._ask(read)

    @staticmethod
    def _frames(scope: Scope, lines: Sequence[LoggedEvent]) -> Iterator[bytes]:
        for line in lines:
            if event := event_of(line, staff=scope.staff):
                yield frame(event.kind, event.model_dump_json(), event.number)

    async def _present(self, channel: Channel) -> bytes:
        """How things stand: how far the tournament is, and the moves so far of what is being played."""
        scope = channel.scope
        told = b": here begins the present\n\n"
        if scope.tournament is not None and scope.match is None:
            far = await self._ask(self._progress, {scope.tournament})
            for progress in far.of(staff=scope.staff).values():
                told += frame("progress", progress_of(progress).model_dump_json())
        if scope.moves:
            so_far = list(self._live.so_far())
            hidden = await self._hidden([running for running, _ in so_far])
            for running, moves in so_far:
                if scope.has(running.tournament_id, running.match_id) and not (
                    running.tournament_id in hidden and not scope.staff
                ):
                    told += frame("moves", moves.model_dump_json())
        return told

    def _progress(self, tournaments: set[int]) -> Far:
        with self._database.reading() as session:
            now = store.progress(session, tournaments)
            return Far(now, now | freezes.progress(session, tournaments))

    async def _hidden(self, running: Collection[Running]) -> frozenset[int]:
        """In which tournaments of these matches moves are for the staff alone now."""

        def read() -> frozenset[int]:
            with self._database.reading() as session:
                return freezes.hiding(session, {each.tournament_id for each in running})

        return await self._ask(read) if running else frozenset()

    async def _keep_looking(self) -> None:
        """Look into the log again and again while somebody follows."""
        while not self._closed:
            await self._wanted.wait()
            began = time.monotonic()
            try:
                await self._looked()
                await self._bell.heard(LOOK_SECONDS)
            except (SQLAlchemyError, redis.RedisError) as error:
                log.warning("waiting for the database or the broker", error=str(error))
                await asyncio.sleep(LOOK_SECONDS)
            except Exception:
                log.exception("the feed could not look into the log")
                await asyncio.sleep(LOOK_SECONDS)
            await asyncio.sleep(max(0.0, GAP_SECONDS - (time.monotonic() - began)))
            if not self._channels and not self._closed:
                self._wanted.clear()
                self._progress_told.clear()
                self._live.watch([])

    async def _looked(self) -> None:
        """Return after a look that has begun after this was called.

        It is a task of its own, and one for all who wait for it: it goes on when they go.
        """
        if self._next_look is None:
            self._next_look = asyncio.create_task(self._look())
            self._looks.add(self._next_look)
            self._next_look.add_done_callback(self._looks.discard)
        await asyncio.shield(self._next_look)

    async def _look(self) -> None:
        """Tell all channels what is new in the log; where nobody has followed, begin at its end."""
        async with self._turn:
            self._next_look = None
            if not self._wanted.is_set():
                await self._ask(self._log.go_to_end)
                self._position = self._log.position
                self._wanted.set()
                return
            while await self._look_once() == BATCH:
                pass

    async def _look_once(self) -> int:
        """Tell all channels some of what is new in the log; how many events that were."""
        recount, self._recount = self._recount, False
        try:
            batch = await self._ask(self._read, self._watched(), recount=recount)
        except Exception:
            self._recount = self._recount or recount
            raise
        if batch.running is not None:
            self._live.watch(batch.running)
        try:
            self._tell(batch)
        except Exception:
            self._send_away(list(self._channels))  # they come back for what they were not told
            raise
        self._send_away([each for each in self._channels if has_to_come_back(each, batch.lines)])
        return len(batch.lines)

    def _send_away(self, scopes: Collection[Scope]) -> None:
        for scope in scopes:
            self._channels.pop(scope).send_away()

    def _watched(self) -> tuple[set[int], set[int]]:
        """The tournaments and the matches whose moves somebody follows."""
        scopes = [scope for scope in self._channels if scope.moves]
        tournaments = {each.tournament for each in scopes if each.tournament and each.match is None}
        return tournaments, {each.match for each in scopes if each.match}

    def _read(self, watched: tuple[set[int], set[int]], *, recount: bool) -> _Batch:
        """The next events that nobody was told, and with those of matches which are played; in a thread."""
        self._log.position = self._position
        lines = self._log.read(BATCH)
        progress = self._progress({line.tournament_id for line in lines if line.tournament_id is not None})
        running = None
        if recount or any(line.match_id is not None for line in lines):
            with self._database.reading() as session:
                running = store.running(session, *watched, MAX_LIVE)
        return _Batch(lines, progress, running)

    def _tell(self, batch: _Batch) -> None:
        """Make each event into bytes once for each audience, and add it where it belongs."""
        if not batch.lines:
            return
        self._position = batch.lines[-1].number
        for staff in (False, True):
            channels = [each for each in self._channels.values() if each.scope.staff == staff]
            for line in batch.lines if channels else ():
                tell(line, channels)
        for staff in (False, True):
            seen = {line.tournament_id for line in batch.lines if staff or not is_hidden(line)}
            for tournament, progress in batch.progress.of(staff=staff).items():
                if tournament in seen and self._progress_told.get((tournament, staff)) != progress:
                    self._progress_told[tournament, staff] = progress
                    self._tell_progress(tournament, progress, staff=staff)
        for channel in self._channels.values():
            channel.wake()

    def _tell_progress(self, tournament: int, progress: Progress, *, staff: bool) -> None:
        told = frame("progress", progress_of(progress).model_dump_json())
        for channel in self._channels.values():
            scope = channel.scope
            if scope.staff == staff and scope.match is None and scope.has(tournament, None):
                channel.add(told)

    async def _keep_up(self) -> None:
        """Tell the moves of what is followed; they wait until the database says whether they are hidden."""
        found: list[tuple[Running, LiveMoves]] = []
        while not self._closed:
            await self._wanted.wait()
            await asyncio.sleep(MOVES_SECONDS)
            if not self._live:
                found = []
                continue
            try:
                found += await self._live.news()
                hidden = await self._hidden([running for running, _ in found])
                told = [(running, frame("moves", moves.model_dump_json())) for running, moves in found]
                found = []
                for channel in self._channels.values() if told else ():
                    self._tell_moves(channel, told, hidden)
            except (SQLAlchemyError, redis.RedisError):
                await asyncio.sleep(LOOK_SECONDS)
            except Exception:
                log.exception("moves could not be told")
                await asyncio.sleep(LOOK_SECONDS)

    @staticmethod
    def _tell_moves(channel: Channel, told: Sequence[tuple[Running, bytes]], hidden: frozenset[int]) -> None:
        """Add moves where they belong; those of `hidden` tournaments are for the staff."""
        scope = channel.scope
        for running, moves in told:
            if running.tournament_id in hidden and not scope.staff:
                continue
            if scope.moves and scope.has(running.tournament_id, running.match_id):
                channel.add(moves)
        channel.wake()

    async def close(self) -> None:
        """End all tasks and connections."""
        self._closed = True  # redis-py may answer a cancellation with what it has just read
        tasks = [*self._tasks, *self._looks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._bell.close()
        await self._live.close()
        await to_thread.run_sync(self._threads.shutdown)
        self._database.close()
