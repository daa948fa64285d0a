"""The tree of a game that is being solved, in a process of its own: nothing else waits for what it works out.

It reads in the database what was found out since it last looked, and what is given out, and tells what is to
be given out next, what of it is of no use any more, and how far it is. It can be killed at any moment:
another one begins with all that is known. Run as a program, this module is such a process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection, Pipe
from typing import NamedTuple

import structlog
from sqlalchemy.orm import Session

from arena.core.processes import dying_with_parent
from arena.experiments.solves import known_by
from arena.store import solves as store
from arena.store.database import Database
from arena.store.models import Solve
from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_cut import Cut, Job, Result, Standing
from engines.solvers.reversi_tree import Bounds, ContradictionError
from workers.core.contract import GameSpec
from workers.solving.contract import position_of
from workers.solving.leaves import board_of

PROGRAM = (sys.executable, "-m", "arena.coordinator.solving_tree")
NICE = 10
"""How nice such a process is: matches come first."""

log = structlog.get_logger()


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
    `trouble` is what contradiction was found; then nothing else is told.
    """

    upto: int
    jobs: Sequence[Job] = ()
    useless: Sequence[int] = ()
    standing: Standing | None = None
    result: Result | None = None
    trouble: str | None = None


class Growth:
    """A tree that grows by what is found out."""

    def __init__(self, board: Board, frontier: int) -> None:
        self._board = board
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
            standing=cut.standing(),
            result=cut.result() if cut.done else None,
        )

    def _grown(self, answers: Sequence[tuple[Job, Bounds]]) -> Cut:
        if self._cut is None:
            known = known_by((Position(job.own, job.opp), bounds) for job, bounds in answers)
            self._cut = Cut(self._board, self._board.start(), self._frontier, known)
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


class Tree:
    """The process of one solve, as the coordinator sees it. It is asked, and answers when it can."""

    def __init__(self, database_url: str, number: int) -> None:
        self._connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                (*PROGRAM, str(theirs.fileno())),
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr,
                pass_fds=(theirs.fileno(),),
                preexec_fn=dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - no other thread
            )
        self._told = self._asked = False
        self._about = database_url, number
        self.room = 0
        self.outlook: Outlook | None = None
        """What it said last, until somebody has acted on it."""
        self.upto = -1
        """How many answers it knew then; -1 before it has said anything."""
        self.is_exhausted = False
        """Whether it had no more to give out than it said."""

    @property
    def is_thinking(self) -> bool:
        """Whether it was asked and has not answered."""
        return self._asked

    def ask(self, room: int) -> None:
        """Ask how things stand, with room for so much to be given out.

        Raises:
            OSError: the process has ended.
        """
        if not self._told:
            self._connection.send(self._about)
            self._told = True
        self._connection.send(room)
        self._asked, self.room = True, room

    def hear(self) -> None:
        """Take in what it has answered meanwhile, if it has.

        Raises:
            OSError, EOFError: the process has ended.
        """
        if self._asked and self._connection.poll():
            outlook: Outlook = self._connection.recv()
            self._asked, self.outlook, self.upto = False, outlook, outlook.upto
            self.is_exhausted = len(outlook.jobs) < self.room
        elif self._process.poll() is not None:
            raise EOFError

    def close(self) -> None:
        """End the process."""
        self._connection.close()
        self._process.kill()
        self._process.wait()


def main() -> None:
    """Answer what is asked; Ctrl-C is for the coordinator, with which this process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    connection = Connection(int(sys.argv[1]))
    database_url, number = connection.recv()
    database, growth, upto = Database(database_url), None, 0
    while True:
        try:
            room = connection.recv()
        except EOFError:
            return
        with database.reading() as session:
            solve = session.get_one(Solve, number)
            look = look_at(session, solve, upto, room)
        growth = growth or Growth(board_of(GameSpec.model_validate(solve.game)), solve.frontier)
        outlook = growth.look(look)
        upto = look.upto
        connection.send(outlook)


if __name__ == "__main__":
    main()
