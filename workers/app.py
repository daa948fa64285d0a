"""The Celery application that worker hosts run, and the names both sides know.

JSON only. A message is acknowledged when it is taken, not when it is done: whether a match is played again
is the coordinator's to decide, never the broker's. Nothing is kept in a result backend.

A process takes from its queues in the order of their names: matches before turns that people wait for, these
before analyses of games (`reviews`), then games of scrimmages, chunks of simulations, positions of games that
are solved (`solves`), and last parts of players that are learned (`trainings`); and while a match's report
waits none of the last three is taken in. Checks are for a process that takes nothing else. What is played is
in a queue of its kind and of the languages that it needs; a host takes from those that it can serve
(`workers.programs.serving`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from celery import Celery

from workers.core import transport
from workers.core.configuration import or_exit
from workers.core.enrolment import arena_key, own_key
from workers.core.settings import get_settings
from workers.core.signing import SigningKey

RESULTS = "results"
TALLIES = "tallies"

PLAY = "workers.play"
HEARTBEAT = "arena.heartbeat"
RECORD = "arena.record"
LOST = "arena.lost"

CHECK = "workers.check"
CHECK_HEARTBEAT = "arena.check_heartbeat"
CHECKED = "arena.checked"
CHECK_LOST = "arena.check_lost"

SCRIMMAGE = "workers.scrimmage"
SCRIMMAGE_HEARTBEAT = "arena.scrimmage_heartbeat"
SCRIMMAGE_PLAYED = "arena.scrimmage_played"
SCRIMMAGE_LOST = "arena.scrimmage_lost"

REPEAT = "workers.repeat"
REPEAT_HEARTBEAT = "arena.repeat_heartbeat"
REPEATED = "arena.repeated"
REPEAT_LOST = "arena.repeat_lost"

MOVE = "workers.move"
MOVE_HEARTBEAT = "arena.move_heartbeat"
MOVED = "arena.moved"
MOVE_LOST = "arena.move_lost"

REVIEW = "workers.review"
REVIEW_HEARTBEAT = "arena.review_heartbeat"
REVIEWED = "arena.reviewed"
REVIEW_LOST = "arena.review_lost"

HOST = "arena.host"
SET_ASIDE = "arena.set_aside"

SIMULATE = "workers.simulate"
CHUNK_HEARTBEAT = "arena.chunk_heartbeat"
CHUNK = "arena.chunk"
CHUNK_LOST = "arena.chunk_lost"

SOLVE = "workers.solve"
LEAF_HEARTBEAT = "arena.leaf_heartbeat"
LEAF = "arena.leaf"
LEAF_LOST = "arena.leaf_lost"

TRAIN = "workers.train"
TRAINING_HEARTBEAT = "arena.training_heartbeat"
TRAINED = "arena.trained"
TRAINING_LOST = "arena.training_lost"

NEVER_SECONDS = 30 * 24 * 3600
UNTOLD: Final = {"argsrepr": "()", "kwargsrepr": "{}"}
"""For a message's header, where Celery otherwise spells out for monitors what the message is about."""
AGAIN: Final = {"max_retries": 30, "interval_start": 0.2, "interval_step": 0.5, "interval_max": 3}
"""For a minute or so."""
ROUTES: Final = {
    HEARTBEAT: {"queue": RESULTS},
    RECORD: {"queue": RESULTS},
    LOST: {"queue": RESULTS},
    CHECK_HEARTBEAT: {"queue": RESULTS},
    CHECKED: {"queue": RESULTS},
    CHECK_LOST: {"queue": RESULTS},
    SCRIMMAGE_HEARTBEAT: {"queue": RESULTS},
    SCRIMMAGE_PLAYED: {"queue": RESULTS},
    SCRIMMAGE_LOST: {"queue": RESULTS},
    REPEAT_HEARTBEAT: {"queue": RESULTS},
    REPEATED: {"queue": RESULTS},
    REPEAT_LOST: {"queue": RESULTS},
    MOVE_HEARTBEAT: {"queue": RESULTS},
    MOVED: {"queue": RESULTS},
    MOVE_LOST: {"queue": RESULTS},
    REVIEW_HEARTBEAT: {"queue": RESULTS},
    REVIEWED: {"queue": RESULTS},
    REVIEW_LOST: {"queue": RESULTS},
    HOST: {"queue": RESULTS},
    SET_ASIDE: {"queue": RESULTS},
    CHUNK_HEARTBEAT: {"queue": TALLIES},
    CHUNK: {"queue": TALLIES},
    CHUNK_LOST: {"queue": TALLIES},
    LEAF_HEARTBEAT: {"queue": TALLIES},
    LEAF: {"queue": TALLIES},
    LEAF_LOST: {"queue": TALLIES},
    TRAINING_HEARTBEAT: {"queue": TALLIES},
    TRAINED: {"queue": TALLIES},
    TRAINING_LOST: {"queue": TALLIES},
}
"""In which queue each report waits for the recorder."""


def send(app: Celery, task: str, told: Mapping[str, Any], *, again: bool = False, **options: Any) -> None:
    """Send one message: once, or with `again` trying for a minute or so while the broker is away."""
    tries = {"retry": True, "retry_policy": AGAIN} if again else {"retry": False}
    app.send_task(task, kwargs=dict(told), **UNTOLD, **tries, **options)


def create_app(
    name: str,
    broker_url: str,
    *,
    signer: Callable[[], SigningKey] | None = None,
    trusted: Callable[[], str] | None = None,
    **settings: object,
) -> Celery:
    """A Celery application with the house's rules; `settings` add to them.

    With a `signer` it signs what it sends, and with `trusted` it takes only what that public key has signed.
    """
    transport.use()
    app = Celery(name, broker=broker_url)
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        result_serializer="json",
        task_ignore_result=True,
        task_acks_late=False,
        worker_prefetch_multiplier=1,
        task_routes=ROUTES,
        broker_connection_retry=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "queue_order_strategy": "sorted",
            "priority_steps": [0],  # a host waits on dozens of queues, and on each of them once is enough
            "visibility_timeout": NEVER_SECONDS,  # a solo worker acknowledges only after the task
            "socket_keepalive": True,
            "socket_timeout": 30,
            "socket_connect_timeout": 5,
            "retry_on_timeout": True,
            "signer": signer,
            "trusted": trusted,
        },
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,  # or whoever writes to the broker stops workers
        worker_send_task_events=False,
        task_send_sent_event=False,
        **settings,
    )
    return app


app = create_app(
    "workers",
    or_exit(get_settings).broker_url,
    signer=own_key,
    trusted=arena_key,
    include=[
        "workers.host.beginning",
        "workers.host.tasks",
        "workers.host.registration",
        "workers.host.draining",
        "workers.host.setting_aside",
    ],
)
