"""``python -m arena.coordinator``: run the coordinator until told to stop."""

from __future__ import annotations

import signal
import sys
import threading

from arena.coordinator.broker import CeleryBroker
from arena.coordinator.enrolment import arena_key
from arena.coordinator.loop import Coordinator
from arena.core.errors import UnavailableError
from arena.events.bell import Bell
from arena.store.database import Database
from arena.store.startup import begin
from workers.core import tracing
from workers.core.configuration import or_exit
from workers.core.logs import configure_logs


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    settings = begin()
    configure_logs("coordinator", settings.log_format)
    or_exit(lambda: tracing.begin("coordinator"))
    try:
        key = arena_key(settings)
    except UnavailableError as error:
        sys.exit(str(error))
    bell = Bell(settings.broker_url)
    database = Database(settings.database_url, on_news=bell.ring)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    broker = CeleryBroker(settings.broker_url, lambda: key)
    Coordinator(database, broker, settings).run(stop)
    broker.close()
    bell.close()
    database.close()


if __name__ == "__main__":
    main()
