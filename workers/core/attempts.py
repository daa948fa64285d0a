"""Trying again what may have failed for a moment, before it is believed for as long as a process runs."""

from __future__ import annotations

import time
from collections.abc import Iterator

PAUSES_SECONDS = 0.25, 0.75
"""Short pauses, for what fails every time on some hosts: a process there starts so much later."""


def attempts(*pauses: float) -> Iterator[None]:
    """Once, and once more after each of these pauses, in seconds."""
    yield
    for pause in pauses:
        time.sleep(pause)
        yield
