"""A test says whether a laboratory PC's matches go another way elsewhere more often than those of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from arena.core.terms import Repeated
from arena.theory.statistics.multiplicity import holm

DECIDED = (Repeated.SAME, Repeated.LATE, Repeated.DIFFERENT)
Counts = Mapping[Repeated | None, int]


class Comparison(NamedTuple):
    """What came of the repeats of a host's matches; None of those that are not over.

    The p-values are of Fisher's exact test that a share is the one that all other hosts have together,
    corrected for all hosts and both shares (Holm): below 0.01, say, once in a hundred looks at hosts that do
    not differ. They are 1 where the share is no larger, and None where there is nothing to compare with.
    """

    counts: Counts
    p_different: float | None = None
    p_late: float | None = None


def compare(found: Mapping[str, Counts]) -> dict[str, Comparison]:
    """Every host with the others."""
    asked = [(host, outcome) for host in sorted(found) for outcome in (Repeated.DIFFERENT, Repeated.LATE)]
    values = {each: _p_value(found, *each) for each in asked}
    known = {each: value for each, value in values.items() if value is not None}
    adjusted = dict(zip(known, holm(list(known.values())), strict=True))
    return {
        host: Comparison(
            counts, adjusted.get((host, Repeated.DIFFERENT)), adjusted.get((host, Repeated.LATE))
        )
        for host, counts in found.items()
    }


def _p_value(found: Mapping[str, Counts], host: str, outcome: Repeated) -> float | None:
    from arena.theory.statistics.exact import fisher  # noqa: PLC0415 - SciPy takes long to read

    all_: Counter[Repeated | None] = Counter()
    for counts in found.values():
        all_.update(counts)
    mine = found[host]
    own, total = sum(mine.get(each, 0) for each in DECIDED), sum(all_[each] for each in DECIDED)
    such, others = mine.get(outcome, 0), all_[outcome] - mine.get(outcome, 0)
    if not own or own == total:
        return None
    if such * (total - own) <= others * own:
        return 1.0
    return fisher((such, own - such), (others, total - own - others))
