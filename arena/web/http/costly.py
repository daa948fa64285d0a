"""What costs much to work out: once for all who ask the same, by calculators, within limits for each caller.

An answer is told while its stamp is true, or to who asked before it was begun. Who would have to wait long is
told 202 and asks again, or is told an older answer where there is one, unless they say how old it may be.
"""

from __future__ import annotations

import asyncio
import math
import os
import tempfile
import time
import weakref
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

from starlette.types import Scope

from arena.core.errors import PendingError, TooManyError, UnavailableError
from arena.store.stamps import Stamps
from arena.web.http.calculator import Calculator, CalculatorLostError, Job, Start

PATIENCE_SECONDS = 3.0
"""So long is waited for an answer before the caller is told to come again."""
LONGEST_RETRY_SECONDS = 30
LONGEST_SECONDS = 900.0
"""What takes longer is broken off."""
MAX_ORDERS = 100
MAX_OF_ONE = 4
"""Answers that may be worked out, or wait for that, at once: in all, and for one caller."""
FREE_SECONDS = 60.0
FREE_SHARE = 0.1
"""Who has no account has so much of the calculators' processor time at once, and later this share of one."""
MAX_CALLERS = 10_000
"""Of so many what they have had is remembered, of those who had most."""
PAUSES = 3
"""Where an older answer is told meanwhile, the next is begun so many times later as the last one took."""
MAX_KEPT = 128
MAX_KEPT_BYTES = 2**30
KEPT_SECONDS = 3600.0
"""Answers that are kept, their bytes in all, and for how long; the cheapest are forgotten first."""
FAILED_SECONDS = 60.0
"""So long a refusal is told to who comes again for an answer."""
MAX_BYTES = 4 * 2**30
"""While all answers, kept or being sent, have more, nothing long is begun."""
IDLE_SECONDS = 600.0
"""A calculator without work for so long ends."""
CALCULATORS = 2
"""How many work at once; all but one take nothing long, so that no ratings wait for an export."""

STOPS = "the arena stops; ask again in a moment"


class Caller(NamedTuple):
    """Who asks: a user, or an address."""

    name: str
    known: bool


class Question(NamedTuple):
    """What is asked: `key` is all that its answer depends on, which may be `most_age` seconds old at most."""

    key: Hashable
    scope: Mapping[str, Any]
    caller: Caller
    long: bool
    most_age: float | None = None
    body: bytes = b""


class Order:
    """A question that is to be answered, and then its answer: a file without a name."""

    def __init__(self, question: Question, now: float) -> None:
        self.question = question
        self.since = now
        self.begun: float | None = None
        self.over: float | None = None
        self.start: Start | None = None
        self.error: Exception | None = None
        self.started, self.ended = asyncio.Event(), asyncio.Event()
        self.fd, self.path = tempfile.mkstemp(prefix="arena-answer-")
        weakref.finalize(self, os.close, self.fd)

    @property
    def size(self) -> int:
        """Its bytes so far."""
        return os.fstat(self.fd).st_size

    @property
    def seconds(self) -> float:
        """What it took; nothing before it is over."""
        return 0.0 if self.over is None or self.begun is None else self.over - self.begun

    @property
    def streams(self) -> bool:
        """Whether it may be sent before it is complete; what has a length is complete at once."""
        return self.start is not None and all(name != b"content-length" for name, _ in self.start.headers)

    def begin(self, start: Start) -> None:
        """Its beginning is known, and the file has been opened by who writes it."""
        self._nameless()
        self.start = start
        if self.streams:
            self.started.set()

    def end(self, now: float, error: Exception | None) -> None:
        """It is complete, or failed."""
        self._nameless()
        self.over, self.error = now, error
        self.started.set()
        self.ended.set()

    def _nameless(self) -> None:
        with suppress(FileNotFoundError):
            Path(self.path).unlink()


class _Seat:
    """A calculator, and whether it is at work; after a while without work it ends."""

    def __init__(self, calculator: Calculator, *, takes_long: bool) -> None:
        self.calculator = calculator
        self.takes_long = takes_long
        self.busy = False
        self._ending: asyncio.TimerHandle | None = None

    def occupy(self) -> None:
        self.busy = True
        if self._ending is not None:
            self._ending.cancel()

    def release(self) -> None:
        self.busy = False
        self._ending = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.calculator.close)

    def close(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        self.calculator.close()


class Costly:
    """Answers by their questions, while `stamps` says that they are true, by calculators that `make` makes.

    `depends_on` is all in a request that its answer depends on, but for who asks.
    """

    def __init__(
        self,
        stamps: Stamps,
        make: Callable[[], Calculator],
        depends_on: Callable[[Scope], Hashable],
        patience_seconds: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.depends_on = depends_on
        self._stamps = stamps
        self._patience_seconds = patience_seconds
        self._clock = clock
        self._seats = [_Seat(make(), takes_long=number == 0) for number in range(CALCULATORS)]
        self._orders: dict[Hashable, Order] = {}
        self._kept: dict[Hashable, Order] = {}
        self._had: dict[Caller, tuple[float, float]] = {}
        self._files: weakref.WeakSet[Order] = weakref.WeakSet()
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, question: Question) -> Order:
        """The answer, complete or still being written.

        Raises:
            PendingError: it is being worked out.
            TooManyError: the caller has had, or waits for, as much as may be.
            UnavailableError: it cannot be worked out now.
            Exception: working it out has failed.
        """
        asked = self._clock()
        since, until = asked - (question.most_age or 0.0), asked + self._patience_seconds
        while True:
            kept = self._kept.get(question.key)
            if kept is not None and (await self._will_do(kept, since) or self._rests(kept, question)):
                return kept
            try:
                order = self._orders.get(question.key) or self._enter(question)
                await self._reached(order, since, until)
            except (PendingError, TooManyError, UnavailableError):
                kept = self._kept.get(question.key)
                if kept is not None and self._may_do(kept, question):
                    return kept
                raise
            if order.error is not None:
                raise order.error
            if await self._will_do(order, since):
                return order

    def age(self, answer: Order) -> int:
        """The seconds since an answer was begun."""
        return 0 if answer.begun is None else int(self._clock() - answer.begun)

    async def is_true(self, answer: Order) -> bool:
        """Whether what it was made of is the same now."""
        start = answer.start
        if start is None or start.validity is None or start.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return False
        if answer.begun is None or self._clock() >= answer.begun + start.validity.seconds:
            return False
        stamp = start.validity.stamp
        return await self._stamps.now(stamp.question) == stamp.rows

    async def close(self) -> None:
        """Break off what is being worked out, and end the calculators."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for order in self._orders.values():
            order.end(self._clock(), UnavailableError(STOPS))
        self._orders.clear()
        for seat in self._seats:
            seat.close()
        self._kept.clear()

    async def _will_do(self, answer: Order, since: float) -> bool:
        """Whether it was begun since then, or is true all the same."""
        return (answer.begun is not None and answer.begun >= since) or await self.is_true(answer)

    def _may_do(self, kept: Order, question: Question) -> bool:
        """Whether an older answer is told where the next one is not there: a refusal not for long."""
        if question.most_age is not None or kept.start is None or kept.over is None:
            return False
        return kept.start.status == HTTPStatus.OK or self._clock() < kept.over + FAILED_SECONDS

    def _rests(self, kept: Order, question: Question) -> bool:
        """Whether it took so long that the next one is not begun yet."""
        if kept.seconds <= self._patience_seconds or not self._may_do(kept, question):
            return False
        return self._clock() < (kept.over or 0.0) + PAUSES * kept.seconds

    async def _reached(self, order: Order, since: float, until: float) -> None:
        """Return when there is something to tell of it."""
        self._begin_next()
        try:
            async with asyncio.timeout(max(0.0, until - self._clock())):
                await order.started.wait()
                if not order.ended.is_set() and not await self._will_do(order, since):
                    await order.ended.wait()
        except TimeoutError:
            waited = self._clock() - order.since
            raise PendingError(
                "this takes a while and is being worked out; ask again after `Retry-After` seconds",
                retry_seconds=max(1, min(LONGEST_RETRY_SECONDS, round(waited))),
            ) from None

    def _enter(self, question: Question) -> Order:
        """Have a question answered when its turn comes.

        Raises:
            TooManyError, UnavailableError: the caller may have no more, or nobody.
        """
        caller = question.caller
        had = self._time_of(caller)
        if sum(order.question.caller == caller for order in self._orders.values()) >= MAX_OF_ONE:
            raise TooManyError(
                f"{MAX_OF_ONE} answers that take long are being worked out for you; wait for one of them",
                retry_seconds=LONGEST_RETRY_SECONDS,
            )
        if not caller.known and had > FREE_SECONDS:
            raise TooManyError(
                "this takes long to work out, and you have had much of that; come later, or show a token",
                retry_seconds=math.ceil((had - FREE_SECONDS) / FREE_SHARE),
            )
        if len(self._orders) >= MAX_ORDERS:
            raise UnavailableError(
                "more answers that take long are wanted than there is room for; come later"
            )
        order = self._orders[question.key] = Order(question, self._clock())
        self._files.add(order)
        return order

    def _time_of(self, caller: Caller) -> float:
        """The calculators' seconds that a caller has had, less what has been forgiven since."""
        seconds, at = self._had.get(caller, (0.0, 0.0))
        return max(0.0, seconds - (self._clock() - at) * FREE_SHARE)

    def _charge(self, caller: Caller, seconds: float) -> None:
        self._had[caller] = self._time_of(caller) + seconds, self._clock()
        if len(self._had) > MAX_CALLERS:
            del self._had[min(self._had, key=self._time_of)]

    def _begin_next(self) -> None:
        """Give those who are idle something to do: what is short to those who take nothing else first."""
        for seat in reversed(self._seats):
            may_be_long = seat.takes_long and sum(each.size for each in self._files) < MAX_BYTES
            waiting = [
                order
                for order in self._orders.values()
                if order.begun is None and (may_be_long or not order.question.long)
            ]
            if waiting and not seat.busy:
                order = min(waiting, key=self._turn)
                order.begun = self._clock()
                seat.occupy()
                task = asyncio.create_task(self._work_out(seat, order))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _turn(self, order: Order) -> tuple[bool, float, float]:
        """Those with an account first, and of them who has had least."""
        caller = order.question.caller
        return not caller.known, self._time_of(caller), order.since

    async def _work_out(self, seat: _Seat, order: Order) -> None:
        error: Exception | None = UnavailableError(STOPS)
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                await self._tried(seat.calculator, order)
            error = None
        except TimeoutError:
            error = UnavailableError(f"this was broken off after {LONGEST_SECONDS:g} s; ask for less")
        except Exception as failure:  # noqa: BLE001  (told to all who wait for it)
            error = failure
        finally:
            del self._orders[order.question.key]
            order.end(self._clock(), error)
            if error is None:
                self._keep(order)
            seat.release()
        self._begin_next()

    async def _tried(self, calculator: Calculator, order: Order) -> None:
        """Work it out; again where the calculator ended over it, and nothing was told yet."""
        try:
            await self._tried_once(calculator, order)
        except CalculatorLostError:
            if order.start is not None:
                raise
            await self._tried_once(calculator, order)

    async def _tried_once(self, calculator: Calculator, order: Order) -> None:
        """Work it out, and charge what it took; where it fails, all of the time until then."""
        began, used = self._clock(), None
        try:
            job = Job(dict(order.question.scope), order.path, order.question.body)
            used = await calculator.work_out(job, order.begin)
        finally:
            self._charge(order.question.caller, self._clock() - began if used is None else used)

    def _keep(self, order: Order) -> None:
        """Keep an answer, and forget what is old, and then what was least trouble."""
        self._kept[order.question.key] = order
        old = self._clock() - KEPT_SECONDS
        self._kept = {key: each for key, each in self._kept.items() if (each.over or 0.0) > old}
        while len(self._kept) > MAX_KEPT or sum(each.size for each in self._kept.values()) > MAX_KEPT_BYTES:
            del self._kept[min(self._kept, key=lambda key: self._kept[key].seconds)]
