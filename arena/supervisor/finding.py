"""What `arena doctor` says of one thing that it looked at."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One check: `verdict` is ok, warn or fail; `remedy` is empty where there is nothing to do."""

    check: str
    verdict: str
    found: str
    remedy: str = ""
