"""Which queue work waits in, and which queues a host takes from.

Work needs the languages of its bots, and waits in a queue named after its kind and these: `matches.c+java`
is where matches of a C bot against a Java bot are. A host serves every queue whose languages it runs, so
nothing reaches a host that could not play it, whatever mixture of hosts there is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations

from workers.programs.runtimes.languages import LANGUAGES

KINDS = ("checks", "matches", "moves", "repeats", "reviews", "scrimmages", "simulations")
CHECKS, MATCHES, MOVES, REPEATS, REVIEWS, SCRIMMAGES, SIMULATIONS = KINDS
"""The kinds of work, in the order in which a process takes them; those that it was started for (`-Q checks`).

The order is that of their names, as queues are looked into in the order of theirs.
"""


def needs(languages: Iterable[str]) -> str:
    """Languages as one word, the same for every order; empty for work that needs none."""
    return "+".join(sorted(set(languages)))


def queue_name(kind: str, needed: str) -> str:
    """The queue for work of that kind (`matches`, say) that has those needs."""
    return f"{kind}.{needed}" if needed else kind


def served_needs(languages: Collection[str]) -> list[str]:
    """All that a host of these languages can do: nothing special, each of them, and any two."""
    known = sorted(set(languages) & LANGUAGES.keys())
    return ["", *known, *(needs(pair) for pair in combinations(known, 2))]


def queue_names(kind: str, languages: Collection[str] = LANGUAGES.keys()) -> list[str]:
    """The queues of that kind that a host of these languages serves; without languages all that there are."""
    return [queue_name(kind, needed) for needed in served_needs(languages)]
