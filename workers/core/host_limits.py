"""What a host gives a bot at most, whatever limits a match is to have."""

from __future__ import annotations

from workers.core.contract import Limits
from workers.core.errors import SpecError
from workers.core.settings import get_settings

BOUNDED = (
    "memory_mb",
    "processes",
    "disk_mb",
    "file_mb",
    "open_files",
    "output_bytes",
    "cpu_seconds",
    "wall_seconds",
)


def exceeded(limits: Limits) -> dict[str, int]:
    """This host's maximum of each limit that is above it."""
    settings = get_settings()
    maxima = {name: int(getattr(settings, f"most_{name}")) for name in BOUNDED}
    return {name: most for name, most in maxima.items() if getattr(limits, name) > most}


def excess(limits: Limits) -> str | None:
    """Which limits are above this host's, in words; None if none is."""
    above = [
        f"{name} {getattr(limits, name)} is above this host's maximum {most} (ARENA_MOST_{name.upper()})"
        for name, most in exceeded(limits).items()
    ]
    return "; ".join(above) or None


def check_limits(limits: Limits) -> None:
    """Make sure that this host gives as much.

    Raises:
        SpecError: it does not; the message says of what.
    """
    if too_much := excess(limits):
        raise SpecError(too_much)
