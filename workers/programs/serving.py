"""Which queue work waits in, and which queues a host takes from.

Work needs the languages of its bots, and waits in a queue named after its kind and these: `matches.c+java`
is where matches of a C bot against a Java bot are. A host serves every queue whose languages it runs, so
nothing reaches a host that could not play it, whatever mixture of hosts there is.

A language with an environment is one more language, and a host has it in the form that it has built: the
queue `matches.python:numpy@0123456789abcdef` also says with which packages its work is to be done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import Any, Final

from workers.programs.runtimes.languages import LANGUAGES, environment_of, exact, language_of

KINDS = (
    *("checks", "matches", "moves", "repeats", "reviews", "scrimmages", "simulations", "solves"),
    "trainings",
)
CHECKS, MATCHES, MOVES, REPEATS, REVIEWS, SCRIMMAGES, SIMULATIONS, SOLVES, TRAININGS = KINDS
"""The kinds of work, in the order in which a process takes them; those that it was started for (`-Q checks`).

The order is that of their names, as queues are looked into in the order of theirs.
"""

NAMED_BY: Final = {
    CHECKS: ("check",),
    MATCHES: ("match",),
    MOVES: ("turn",),
    REPEATS: ("repeat",),
    REVIEWS: ("analysis",),
    SCRIMMAGES: ("game",),
    SIMULATIONS: ("experiment", "start"),
    SOLVES: ("solve", "leaf"),
    TRAININGS: ("training", "chunk"),
}
"""What a piece of work is known by in reports, logs and traces; the first also says which kind it is."""


def named(kind: str, told: Mapping[str, Any]) -> dict[str, str]:
    """What a piece of work of that kind is known by, of all that is told of it."""
    return {name: str(told[name]) for name in NAMED_BY[kind]}


def needs(languages: Iterable[str]) -> str:
    """Languages as one word, the same for every order; empty for work that needs none."""
    return "+".join(sorted(set(languages)))


def queue_name(kind: str, needed: str) -> str:
    """The queue for work of that kind (`matches`, say) that has those needs."""
    return f"{kind}.{needed}" if needed else kind


def served_needs(languages: Collection[str]) -> list[str]:
    """All that a host of these languages can do: nothing special, each of them, and any two."""
    known = sorted(each for each in set(languages) if language_of(each) in LANGUAGES)
    return ["", *known, *(needs(pair) for pair in combinations(known, 2))]


def queue_names(kind: str, languages: Collection[str] = LANGUAGES.keys()) -> list[str]:
    """The queues of that kind that a host of these languages serves; without languages all that there are."""
    return [queue_name(kind, needed) for needed in served_needs(languages)]


def environments_in(queue: str) -> dict[str, str]:
    """Which environments the work of that queue is to be done with: the digest of each, by its name."""
    exactly = (word for word in queue.partition(".")[2].split("+") if exact(word)[1])
    return {str(environment_of(word)): str(exact(word)[1]) for word in exactly}
