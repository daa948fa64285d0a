"""The tree of a game that is being solved: what it is told of the database, and what it says to that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.experiments.solves import known_by
from arena.store import solves as store
from arena.store.models import Solve
from engines.solvers.reversi_board import Position
from engines.solvers.reversi_cut import Cut, Job, Result, Standing
from engines.solvers.reversi_tree import Bounds, ContradictionError
from workers.core.contract import GameSpec
from workers.solving.contract import position_of
from workers.solving.leaves import work_of

LINES = 10_000
"""So many lines of a proof are one text."""


class Look(NamedTuple):
    """What has become known since the last look, what is given out, and how much more of it there may be.

    `upto` is the number of the next answer that there will be, and what is given out has numbers too.
    """

    upto: int
    answers: Sequence[tuple[Job, Bounds]]
    given: Mapping[Job, int]
    room: int


class Outlook(NamedTuple):
    """What a tree says after a look, at `upto` answers.

    `jobs` are to be given out, the most useful first, and the leaves of the numbers `useless` taken back.
    With the `result` comes its proof, many lines in each text. `trouble` is what contradiction was found;
    then nothing else is told.
    """

    upto: int
    jobs: Sequence[Job] = ()
    useless: Sequence[int] = ()
    standing: Standing | None = None
    result: Result | None = None
    proof: Sequence[str] = ()
    trouble: str | None = None


class Growth:
    """A tree that grows by what is found out."""

    def __init__(self, spec: GameSpec, frontier: int, position: Mapping[str, Any] | None = None) -> None:
        self._work = work_of(spec, position)
        self._frontier = frontier
        self._cut: Cut | None = None

    def look(self, look: Look) -> Outlook:
        """Take in what is new, and say how things stand."""
        try:
            cut = self._grown(look.answers)
            jobs = self._next(cut, look)
        except ContradictionError as error:
            return Outlook(look.upto, trouble=str(error))
        return Outlook(
            look.upto,
            jobs=jobs,
            useless=[number for job, number in look.given.items() if job not in cut.running],
            standing=self._work.standing(cut),
            result=self._work.result(cut) if cut.done else None,
            proof=[*_parts(self._work.proof(cut))] if cut.done else (),
        )

    def _grown(self, answers: Sequence[tuple[Job, Bounds]]) -> Cut:
        if self._cut is None:
            known = known_by((Position(job.own, job.opp), bounds) for job, bounds in answers)
            self._cut = self._work.begin(self._frontier, known)
        else:
            for job, bounds in answers:
                self._cut.answer(job, bounds)
        return self._cut

    def _next(self, cut: Cut, look: Look) -> list[Job]:
        """What to give out besides what is given out: first what was told before and is still wanted.

        A tree that has just begun gives out by and by also what was given out before, as far as it is wanted.
        """
        for job in cut.useless():
            cut.lost(job)
        ready = [job for job in cut.running if job not in look.given]
        unknown = sum(job not in cut.running for job in look.given)
        wanted = look.room + unknown - len(ready)
        ready += [job for job in cut.jobs(max(0, wanted)) if job not in look.given]
        return ready[: look.room]


def _parts(lines: Iterable[bytes]) -> Iterator[str]:
    each = iter(lines)
    while part := b"".join(islice(each, LINES)):
        yield part.decode()


def look_at(session: Session, solve: Solve, since: int, room: int) -> Look:
    """What is to be said of a solve to a tree that has been told all answers before the number `since`."""
    answers = [
        (_job(each.position, each.at_least), (each.low, each.high))
        for each in store.bounds_from(session, solve, since)
    ]
    given = {_job(each.position, each.at_least): each.number for each in store.leaves(session, solve)}
    return Look(since + len(answers), answers, given, room)


def _job(position: str, at_least: int) -> Job:
    return Job(*position_of(position), at_least)
