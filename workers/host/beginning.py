"""What a worker does before it takes anything: it finds out whether it may, and says what it is."""

from __future__ import annotations

import sys
from typing import Any

import structlog
from celery.signals import after_setup_logger, after_setup_task_logger, worker_init

from workers.core import tracing
from workers.core.enrolment import arena_key, own_key
from workers.core.errors import NotEnrolledError, SettingsError, TooSlowError
from workers.core.logs import configure_logs, write_as
from workers.core.settings import get_settings
from workers.host.calibration import check_speed
from workers.sandbox.slots import sweep_slots

log = structlog.get_logger()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(sender: Any, **_: Any) -> None:
    form = get_settings().log_format
    configure_logs(sender.hostname, form)
    for ready in (after_setup_logger, after_setup_task_logger):  # Celery has no handlers before that
        ready.connect(lambda logger, **_: write_as(sender.hostname, form, logger), weak=False)
    try:
        tracing.begin("worker", sender.hostname)
    except SettingsError as error:
        log.error("this worker does not start", reason=str(error))  # noqa: TRY400  (the message says all)
        sys.exit(str(error))
    try:
        measured = check_speed(get_settings().least_speed)
    except TooSlowError as error:
        log.error("this worker does not start", reason=str(error))  # noqa: TRY400  (the message says all)
        sys.exit(str(error))
    try:
        log.info("enrolled", key=own_key().public, arena=arena_key())
    except NotEnrolledError as error:
        log.error("this worker does not start", reason=str(error))  # noqa: TRY400  (the message says all)
        sys.exit(str(error))
    log.info("speed measured", speed=measured)
    sweep_slots()
