"""The trusted side's one clock."""

from __future__ import annotations

import datetime as dt


def utc_now() -> dt.datetime:
    """Now, in UTC."""
    return dt.datetime.now(dt.UTC)
