"""Lines of logs for programs: of our own events and of what libraries log."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from structlog.contextvars import bound_contextvars

from workers.core.logs import configure_logs, write_as
from workers.core.setting_types import LogFormat


@pytest.fixture(autouse=True)
def _unconfigured() -> Iterator[None]:
    """Logs are as they were afterwards."""
    yield
    structlog.reset_defaults()


def test_an_event_is_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Time, level, process and message have their names, and what is bound to the work is told with it."""
    configure_logs("recorder", LogFormat.JSON)
    with bound_contextvars(match="17", attempt=2):
        structlog.get_logger().info("taken in", reports={"taken": 3})
    told = json.loads(capsys.readouterr().err)
    assert told.pop("time").endswith("Z")
    assert told == {
        "level": "info",
        "process": "recorder",
        "message": "taken in",
        "match": "17",
        "attempt": 2,
        "reports": {"taken": 3},
    }


def test_a_failure_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A traceback is a part of its line."""
    configure_logs("api", LogFormat.JSON)
    try:
        raise ValueError("broken")  # noqa: TRY301  (logged below)
    except ValueError:
        structlog.get_logger().exception("failed")
    (line,) = capsys.readouterr().err.splitlines()
    assert "ValueError: broken" in json.loads(line)["exception"]


def test_text_is_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    """People read the time, the level and the event first."""
    configure_logs("recorder", LogFormat.TEXT)
    structlog.get_logger().info("taken in", count=3)
    assert capsys.readouterr().err.rstrip().endswith("level='info' event='taken in' count=3")


def test_what_libraries_log_has_the_same_form() -> None:
    """A record of the standard library becomes such a line, with what is bound; as text it stays as it is."""
    for form in LogFormat:
        written = io.StringIO()
        logger = logging.getLogger(f"library-{form}")
        logger.addHandler(logging.StreamHandler(written))
        logger.propagate = False
        write_as("worker-1", form, logger)
        with bound_contextvars(request="abc"):
            logger.warning("lost %s", "a connection")
        if form is LogFormat.TEXT:
            assert written.getvalue() == "lost a connection\n"
            continue
        told = json.loads(written.getvalue())
        assert (told["message"], told["level"], told["process"]) == (
            "lost a connection",
            "warning",
            "worker-1",
        )
        assert (told["logger"], told["request"]) == ("library-json", "abc")
