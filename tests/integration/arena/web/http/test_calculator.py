"""Calculators as processes of their own: what they answer, and what becomes of them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.core.settings import Settings
from arena.web.http import calculator
from arena.web.http.calculator import CalculatorLostError, Job, ProcessCalculator, Start
from tests.integration.arena.world import World

PATIENCE_SECONDS = 300.0
SCOPE: dict[str, Any] = {
    "type": "http",
    "asgi": {"version": "3.0"},
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "server": ("arena.test", 80),
    "query_string": b"",
    "root_path": "",
    "headers": [(b"host", b"arena.test")],
}


class _Asking:
    """A calculator of an arena with a tournament, and what it answers into a file."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.calculator = ProcessCalculator(settings)
        self.file = folder / "answer"

    async def told(self, path: str) -> tuple[Start, bytes]:
        starts: list[Start] = []
        job = Job(SCOPE | {"path": path, "raw_path": path.encode()}, str(self.file))
        await self.calculator.work_out(job, starts.append)
        return starts[0], self.file.read_bytes()

    @property
    def process(self) -> psutil.Process:
        assert self.calculator._process is not None
        return psutil.Process(self.calculator._process.pid)


@pytest.fixture
def run(sqlite_world: Callable[[], World], tmp_path: Path) -> Callable[..., None]:
    """Runs a case over a calculator, which is closed afterwards."""
    world = sqlite_world()
    world.tournament("cup")
    settings = world.settings.model_copy(update={"database_url": str(world.database.engine.url)})

    def run_case(case: Callable[[_Asking], Coroutine[Any, Any, None]]) -> None:
        asking = _Asking(settings, tmp_path)
        try:
            asyncio.run(asyncio.wait_for(case(asking), PATIENCE_SECONDS))
        finally:
            asking.calculator.close()

    return run_case


def test_a_process_answers_as_the_api_would(run: Callable[..., None]) -> None:
    """With the status, the headers, the body and the stamp of the answer; one thing after another."""

    async def case(asking: _Asking) -> None:
        start, body = await asking.told("/api/v1/tournaments/cup/ratings")
        assert (start.status, b"etag" in dict(start.headers)) == (200, True)
        assert body.startswith(b"{")
        assert start.validity is not None
        first = asking.process.pid
        start, body = await asking.told("/api/v1/tournaments/none/ratings")
        assert (start.status, start.validity) == (404, None)
        start, body = await asking.told("/api/v1/tournaments/cup/export")
        assert (start.status, b"content-length" in dict(start.headers)) == (200, False)
        assert body.count(b"\n") == 7
        assert asking.process.pid == first

    run(case)


@pytest.mark.long
def test_a_process_goes_behind_its_parent(run: Callable[..., None]) -> None:
    """Where both want the processor it has less of it, and it takes no more than one core."""

    async def case(asking: _Asking) -> None:
        await asking.told("/api/v1/tournaments/cup/ratings")
        assert asking.process.nice() > os.nice(0)
        assert asking.process.environ()["OPENBLAS_NUM_THREADS"] == "1"

    run(case)


@pytest.mark.long
def test_a_process_that_is_killed_is_told_of_and_replaced(run: Callable[..., None]) -> None:
    """After a kill the next question fails, and the one after it is answered by a new process."""

    async def case(asking: _Asking) -> None:
        await asking.told("/api/v1/tournaments/cup/ratings")
        asking.process.kill()
        with pytest.raises(CalculatorLostError):
            await asking.told("/api/v1/tournaments/cup/ratings")
        start, _ = await asking.told("/api/v1/tournaments/cup/ratings")
        assert start.status == 200

    run(case)


@pytest.mark.long
def test_a_process_that_has_grown_is_replaced(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says with its answer that it ends, and the next question goes to another."""
    monkeypatch.setattr(calculator, "MODULE", "tests.integration.arena.web.http.grown_calculator")

    async def case(asking: _Asking) -> None:
        for _ in range(2):
            start, _ = await asking.told("/api/v1/tournaments/cup/ratings")
            assert start.status == 200
            assert asking.calculator._process is None

    run(case)


@pytest.mark.long
def test_a_process_that_is_not_waited_for_ends(run: Callable[..., None]) -> None:
    """A process whose only caller gives up is ended."""

    async def case(asking: _Asking) -> None:
        await asking.told("/api/v1/tournaments/cup/ratings")
        process = asking.process
        process.suspend()
        asked = asyncio.ensure_future(asking.told("/api/v1/tournaments/cup/ratings"))
        await asyncio.sleep(0.01)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert not process.is_running()

    run(case)


@pytest.mark.long
def test_a_process_ends_with_its_parent(run: Callable[..., None]) -> None:
    """When the other end of their connection is closed, as at its death."""

    async def case(asking: _Asking) -> None:
        await asking.told("/api/v1/tournaments/cup/ratings")
        assert asking.calculator._connection is not None
        asking.calculator._connection.close()
        assert await asyncio.to_thread(asking.process.wait, PATIENCE_SECONDS) == 0

    run(case)
