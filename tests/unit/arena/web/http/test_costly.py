"""Costly answers: who is told what, when it is worked out, and how much anybody may order."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import psutil
import pytest

from arena.core.errors import FullError, PendingError, TooManyError, UnavailableError
from arena.store.stamps import Question as Asked
from arena.store.stamps import Rows, Stamp
from arena.web.http import costly
from arena.web.http.answer_cache import Validity
from arena.web.http.calculator import CalculationError, CalculatorLostError, Job, Start
from arena.web.http.costly import FREE_SECONDS, FREE_SHARE, MAX_OF_ONE, Caller, Costly, Question

ANN, BOB = Caller("192.0.2.1", known=False), Caller("192.0.2.2", known=False)
USER = Caller("ann", known=True)
REVISION = Asked("revision", ())
PATIENCE_SECONDS = 300.0


class Calculator:
    """Answers with the path and the revision, once it may; it takes seconds of the test's clock."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena

    async def work_out(self, job: Job, started: Callable[[Start], None]) -> float:
        arena, path = self.arena, job.scope["path"]
        arena.begun.append(path)
        arena.working.set()
        told = f"{path} {arena.revision}".encode()
        validity = Validity(Stamp(REVISION, ((arena.revision,),)), float("inf"))
        if arena.losses:
            arena.losses -= 1
            arena.time += arena.takes_seconds
            raise arena.failure
        if path.startswith("/stream"):
            started(Start(200, (), validity))
        await arena.may_work.wait()
        arena.time += arena.takes_seconds
        with suppress(FileNotFoundError), open(job.file, "r+b") as file:  # noqa: ASYNC230, PTH123  (a few bytes)
            file.write(told)
        started(Start(arena.status, ((b"content-length", b"1"),), validity))
        return arena.takes_seconds

    def close(self) -> None:
        self.arena.closed += 1


class Arena:
    """A tournament at a revision, a clock that the test moves, and what works answers out."""

    def __init__(self, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.revision, self.time, self.status, self.takes_seconds = 1, 1000.0, 200, 0.0
        self.begun: list[str] = []
        self.losses = self.closed = 0
        self.failure: Exception = CalculatorLostError("it ended")
        self.may_work, self.working = asyncio.Event(), asyncio.Event()
        self.may_work.set()
        self.costly = Costly(
            self, lambda: Calculator(self), lambda scope: scope["path"], patience_seconds, lambda: self.time
        )

    async def now(self, question: Asked) -> Rows | None:
        """The stamp, as the database tells it."""
        assert question == REVISION
        return ((self.revision,),)

    async def close(self) -> None:
        """Nothing is left behind."""

    async def told(
        self, path: str = "/a", caller: Caller = ANN, *, long: bool = False, most_age: float | None = None
    ) -> str:
        """The body of an answer."""
        answer = await self.costly.answer(Question(path, {"path": path}, caller, long, most_age))
        return os.pread(answer.fd, 1000, 0).decode()

    async def refusal(self, path: str = "/a", caller: Caller = ANN, **more: Any) -> Exception:
        """Why there is no answer."""
        with pytest.raises((PendingError, TooManyError, UnavailableError)) as refused:
            await self.told(path, caller, **more)
        return refused.value

    async def waiting(self, *paths: str, caller: Caller = ANN, long: bool = False) -> list[asyncio.Task[str]]:
        """These are asked for, and not answered yet."""
        tasks = [asyncio.create_task(self.told(path, caller, long=long)) for path in paths]
        for _ in range(5):
            await asyncio.sleep(0)
        return tasks


def open_files() -> list[Any]:
    """The files that this process has open."""
    return psutil.Process().open_files()


def _run(
    case: Callable[[Arena], Coroutine[Any, Any, None]], patience_seconds: float = PATIENCE_SECONDS
) -> None:
    async def whole() -> None:
        arena = Arena(patience_seconds)
        try:
            await case(arena)
        finally:
            await arena.costly.close()

    asyncio.run(whole())


def test_an_answer_is_worked_out_once_for_a_revision() -> None:
    """The next who ask get what is kept, until something happens; then it is worked out anew."""

    async def case(arena: Arena) -> None:
        assert [await arena.told() for _ in range(3)] == ["/a 1"] * 3
        arena.revision, arena.time = 2, 1001
        assert [await arena.told() for _ in range(3)] == ["/a 2"] * 3
        assert arena.begun == ["/a"] * 2

    _run(case)


def test_who_asks_the_same_meanwhile_shares_what_is_begun_after_the_question() -> None:
    """Of what was begun before it they get the answer only if nothing has happened since."""

    async def case(arena: Arena) -> None:
        arena.may_work.clear()
        first = await arena.waiting("/a")
        arena.time += 1
        others = await arena.waiting(*["/a"] * 10)
        arena.may_work.set()
        assert set(await asyncio.gather(*first, *others)) == {"/a 1"}
        assert arena.begun == ["/a"]
        arena.revision, arena.time = 2, arena.time + 1
        arena.may_work.clear()
        first = await arena.waiting("/a")
        arena.revision, arena.time = 3, arena.time + 1
        others = await arena.waiting(*["/a"] * 10)
        arena.may_work.set()
        assert set(await asyncio.gather(*first)) == {"/a 2"}
        assert set(await asyncio.gather(*others)) == {"/a 3"}
        assert arena.begun == ["/a"] * 3

    _run(case)


def test_who_would_wait_long_is_told_to_come_again_and_finds_it_then() -> None:
    """It is worked out although nobody waits, and told to who comes again, whatever has happened since."""

    async def case(arena: Arena) -> None:
        arena.may_work.clear()
        pending = await arena.refusal(most_age=0)
        assert isinstance(pending, PendingError)
        assert pending.retry_seconds >= 1
        arena.time, arena.revision = arena.time + 5, 2
        arena.may_work.set()
        await asyncio.gather(*arena.costly._tasks)
        assert await arena.told(most_age=5) == "/a 1"
        assert arena.begun == ["/a"]

    _run(case, patience_seconds=0.01)


def test_an_older_answer_is_told_where_the_next_one_takes_long() -> None:
    """Unless the caller says how old it may be; and a refusal is not told for long."""

    async def case(arena: Arena) -> None:
        assert await arena.told() == "/a 1"
        arena.status = 409
        assert await arena.told("/b") == "/b 1"
        arena.revision, arena.time = 2, arena.time + 100
        arena.may_work.clear()
        arena.costly._patience_seconds = 0.01
        assert await arena.told() == "/a 1"
        assert isinstance(await arena.refusal(most_age=50), PendingError)
        assert isinstance(await arena.refusal("/b"), PendingError)

    _run(case)


def test_what_takes_long_is_not_begun_again_at_once() -> None:
    """While results come in, an older answer is told for three times as long as the last one took."""

    async def case(arena: Arena) -> None:
        arena.takes_seconds = 10
        assert await arena.told() == "/a 1"
        arena.revision, arena.time = 2, arena.time + 29
        assert await arena.told() == "/a 1"
        assert arena.begun == ["/a"]
        arena.time += 2
        await arena.told()
        assert arena.begun == ["/a"] * 2

    _run(case, patience_seconds=1)


def test_a_caller_has_so_many_at_once_and_others_are_not_kept_waiting_by_them() -> None:
    """One too many is refused to them alone, and who has an account goes first."""

    async def case(arena: Arena) -> None:
        await arena.told("/x", BOB)
        arena.may_work.clear()
        busy = await arena.waiting("/1", "/2")
        queue = await arena.waiting("/3", "/4")
        assert isinstance(await arena.refusal("/5"), TooManyError)
        queue += await arena.waiting("/6", caller=BOB)
        queue += await arena.waiting("/7", caller=USER)
        arena.may_work.set()
        await asyncio.gather(*busy, *queue)
        assert arena.begun[:3] == ["/x", "/1", "/2"]
        assert arena.begun[3] == "/7"
        assert len(busy) + 2 == MAX_OF_ONE

    _run(case)


def test_without_an_account_there_is_so_much_time_and_no_more() -> None:
    """After that what is ready is told, and the rest is refused until enough time has gone by."""

    async def case(arena: Arena) -> None:
        arena.takes_seconds = FREE_SECONDS + 10
        assert await arena.told("/a") == "/a 1"
        refused = await arena.refusal("/b")
        assert isinstance(refused, TooManyError)
        assert refused.retry_seconds == pytest.approx(10 / FREE_SHARE)
        assert await arena.told("/a") == "/a 1"
        assert await arena.told("/b", BOB) == "/b 1"
        assert await arena.told("/c", USER) == "/c 1"
        assert await arena.told("/d", USER) == "/d 1"
        arena.time += refused.retry_seconds
        assert await arena.told("/e") == "/e 1"

    _run(case)


def test_no_more_is_ordered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many callers there are."""
    monkeypatch.setattr(costly, "MAX_ORDERS", 10)

    async def case(arena: Arena) -> None:
        arena.may_work.clear()
        tasks = []
        for number in range(10):
            tasks += await arena.waiting(f"/{number}", caller=Caller(str(number), known=True))
        refused = await arena.refusal("/10", USER)
        assert isinstance(refused, UnavailableError)
        arena.may_work.set()
        await asyncio.gather(*tasks)
        assert await arena.told("/10", USER) == "/10 1"

    _run(case)


def test_what_is_short_does_not_wait_for_what_is_long() -> None:
    """One calculator takes nothing long."""

    async def case(arena: Arena) -> None:
        arena.may_work.clear()
        long = await arena.waiting("/long 1", "/long 2", "/long 3", long=True)
        short = await arena.waiting("/short", caller=BOB)
        assert arena.begun == ["/long 1", "/short"]
        arena.may_work.set()
        await asyncio.gather(*long, *short)

    _run(case)


def test_nothing_long_is_begun_while_the_disk_holds_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also answers that are kept no more, and are still being read, count; when they go it is begun."""
    monkeypatch.setattr(costly, "MAX_BYTES", 3)

    async def case(arena: Arena) -> None:
        answer = await arena.costly.answer(Question("/a", {"path": "/a"}, ANN, long=True))
        arena.costly._kept.clear()
        waiting = await arena.waiting("/b", long=True)
        assert await arena.told("/short") == "/short 1"
        assert arena.begun == ["/a", "/short"]
        arena.costly._kept.clear()
        del answer
        assert await arena.told("/short again") == "/short again 1"
        assert await asyncio.gather(*waiting) == ["/b 1"]

    _run(case)


def test_a_calculator_that_ends_is_replaced_once() -> None:
    """Its work is done again; a second time the callers hear of it, and the next question is answered."""

    async def case(arena: Arena) -> None:
        arena.losses = 1
        assert await arena.told() == "/a 1"
        arena.losses = 2
        assert isinstance(await arena.refusal("/b"), CalculatorLostError)
        assert await arena.told("/b") == "/b 1"

    _run(case)


@pytest.mark.parametrize(
    ("failure", "times"),
    [(CalculatorLostError("it ended"), 2), (CalculationError("/a"), 1), (FullError("no room"), 1)],
)
def test_what_fails_counts_as_time_too(failure: Exception, times: int) -> None:
    """Who asks for what ends calculators, or cannot be worked out, has had the time that it took."""

    async def case(arena: Arena) -> None:
        arena.losses, arena.failure, arena.takes_seconds = times, failure, (FREE_SECONDS + 10) / times
        with pytest.raises(type(failure)):
            await arena.told()
        assert isinstance(await arena.refusal("/b"), TooManyError)

    _run(case)


def test_what_takes_too_long_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits hears of it, it counts as time that the caller has had, and the calculator is free again."""
    monkeypatch.setattr(costly, "LONGEST_SECONDS", 0.01)

    async def case(arena: Arena) -> None:
        arena.may_work.clear()
        (waiting,) = await arena.waiting("/a", long=True)
        arena.time += FREE_SECONDS + 1
        with pytest.raises(UnavailableError, match="broken off"):
            await waiting
        assert isinstance(await arena.refusal("/b", long=True), TooManyError)
        arena.may_work.set()
        assert await arena.told("/b", BOB, long=True) == "/b 1"

    _run(case)


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was least trouble goes first, then what is old; and a file goes with its answer."""
    monkeypatch.setattr(costly, "MAX_KEPT", 3)

    async def case(arena: Arena) -> None:
        arena.takes_seconds = 50
        await arena.told("/dear", USER)
        arena.takes_seconds = 0
        before = len(open_files())
        for number in range(50):
            await arena.told(f"/{number}", USER)
        assert len(arena.costly._kept) == 3
        assert "/dear" in arena.costly._kept
        assert len(open_files()) <= before + 2
        arena.time += costly.KEPT_SECONDS + 100
        await arena.told("/new", USER)
        assert list(arena.costly._kept) == ["/new"]

    _run(case)


def test_at_the_end_nothing_goes_on() -> None:
    """Who waits is told so, and the calculators are closed."""

    async def case(arena: Arena) -> None:
        arena.may_work.clear()
        (waiting,) = await arena.waiting("/a")
        await arena.costly.close()
        with pytest.raises(UnavailableError, match="stops"):
            await waiting
        assert arena.closed == costly.CALCULATORS

    _run(case)
