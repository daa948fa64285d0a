"""``python -m arena.coordinator``: run the coordinator until told to stop."""

from __future__ import annotations

import signal
import threading

from arena.coordinator.broker import CeleryBroker
from arena.coordinator.loop import Coordinator
from arena.events.bell import Bell
from arena.store.database import Database
from arena.store.startup import begin
from workers.core.logs import configure_logs
from workers.core.signing import read_or_make_key


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    settings = begin()
    configure_logs("coordinator", settings.log_format)
    bell = Bell(settings.broker_url)
    database = Database(settings.database_url, on_news=bell.ring)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    key = read_or_make_key(settings.signing_key_file)
    broker = CeleryBroker(settings.broker_url, lambda: key)
    Coordinator(database, broker, settings).run(stop)
    broker.close()
    bell.close()
    database.close()


if __name__ == "__main__":
    main()
