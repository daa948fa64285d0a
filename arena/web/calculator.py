"""A calculator's process: `python -m arena.web.calculator DESCRIPTOR`, as `ProcessCalculator` starts it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from multiprocessing.connection import Connection
from queue import SimpleQueue

import psutil

from arena.coordinator.broker import CeleryBroker
from arena.core.errors import FullError
from arena.web.app import calculating_app
from arena.web.http.calculator import CalculationError, Job, LocalCalculator, Outcome

NICE = 10
MAX_BYTES = 2**29
"""A process that has more memory after an answer ends, as it would not give it back."""


def main() -> None:
    """Work out answers until the parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends, and then we do
    os.nice(NICE)
    connection = Connection(int(sys.argv[1]))
    settings = connection.recv()
    calculator = LocalCalculator(calculating_app(settings, CeleryBroker(settings.broker_url)))
    jobs: SimpleQueue[Job] = SimpleQueue()
    threading.Thread(target=_take_in, args=(connection, jobs), daemon=True).start()
    with asyncio.Runner() as runner:
        ends = False
        while not ends:
            job = jobs.get()
            result: float | CalculationError | FullError
            try:
                result = runner.run(calculator.work_out(job, connection.send))
            except (CalculationError, FullError) as error:
                result = error
            ends = psutil.Process().memory_info().rss >= MAX_BYTES
            connection.send(Outcome(result, ends))


def _take_in(connection: Connection, jobs: SimpleQueue[Job]) -> None:
    """Hand on what is asked for, and end with the parent, whatever is being worked out."""
    try:
        while True:
            jobs.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main()
