"""Names that cannot be told apart by eye: letters of other scripts or widths that look the same.

Chinese characters that differ by a stroke are different characters, and readers tell them apart: 土, 士.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from arena.core.errors import ConflictError, Term

MARK = "\u200e"
"""Stands around letters that are written from right to left in the table, and is no part of them."""
HAN = "CJK "
"""What the names of Chinese characters begin with; variants in width or for old sets are gone before."""


def skeleton(name: str) -> str:
    """What all names that look like `name` have in common: Unicode Technical Standard 39, section 4."""
    flat = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    return unicodedata.normalize("NFD", flat.translate(_prototypes()))


def look_alikes(names: Iterable[str]) -> dict[str, str]:
    """The first of `names` by its skeleton."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(skeleton(name), name)
    return first


def check_distinct(kind: str, name: str, others: Iterable[str]) -> None:
    """Refuse a new name that looks like another one's.

    Raises:
        ConflictError: it does; `name` itself among `others` is passed over.
    """
    own = skeleton(name)
    if other := next((other for other in others if other != name and skeleton(other) == own), None):
        raise ConflictError(
            "%(name)r looks like the %(kind)s %(other)r; choose a name that is not taken for it",
            name=name,
            kind=Term(kind),
            other=other,
        )


@cache
def _prototypes() -> dict[int, str]:
    """What every character with look-alikes is replaced by; each set of them has one prototype."""
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - a big table

    alike: defaultdict[str, set[str]] = defaultdict(set)
    for one, others in confusables_data.items():
        for other in others:
            a, b = (unicodedata.normalize("NFD", each.strip(MARK)) for each in (one, other["c"]))
            if not (_is_han(a) and _is_han(b)):
                alike[a].add(b)
                alike[b].add(a)
    prototypes: dict[str, str] = {}
    for start in alike:
        if start in prototypes:
            continue
        group, waiting = {start}, [start]
        while waiting:
            new = alike[waiting.pop()] - group
            group |= new
            waiting += new
        prototype = max(group, key=lambda each: (len(each), each))
        prototypes |= dict.fromkeys(group, prototype)
    singles = {one: to for one, to in prototypes.items() if len(one) == 1}
    return {
        ord(one): "".join(singles.get(each, each) if len(to) > 1 else each for each in to)
        for one, to in singles.items()
    }


def _is_han(text: str) -> bool:
    return len(text) == 1 and unicodedata.name(text, "").startswith(HAN)
