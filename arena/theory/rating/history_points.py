"""Where a history is looked at."""

from __future__ import annotations


def evenly(total: int, most: int) -> list[int]:
    """At most `most` numbers from 1 to `total`, as even as can be; the last is `total`."""
    points = min(total, most)
    return [(total * point + points - 1) // points for point in range(1, points + 1)]
