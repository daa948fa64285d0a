"""The trusted side's one clock."""

from __future__ import annotations

import datetime as dt

MAX_DAYS = 36_500
"""So many days nothing is asked to be kept for; what is to be kept for longer is kept for ever."""


def utc_now() -> dt.datetime:
    """Now, in UTC."""
    return dt.datetime.now(dt.UTC)
