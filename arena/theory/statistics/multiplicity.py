"""Many tests at once: p-values corrected so that the chance of a single false alarm stays bounded."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value adjusted for all of them, in the same order; 0 to 1.

    Rejecting where the adjusted value is below a level keeps the chance of any false rejection below that
    level, however the tests depend on each other (Holm, *A simple sequentially rejective multiple test
    procedure*, Scandinavian Journal of Statistics 6, 1979).
    """
    adjusted, running = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = running
    return adjusted
