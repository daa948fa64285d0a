"""The tree of a solve in a process of its own: nothing else waits for what it works out.

It reads in the database what was found out since it last looked, and what is given out, and tells what is to
be given out next, what of it is of no use any more, and how far it is. It can be killed at any moment:
another one begins with all that is known. Run as a program, this module is such a process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection, Pipe

from arena.coordinator.solving_tree import Growth, Outlook, look_at
from arena.core.processes import MODULE, dying_with_parent
from arena.experiments import solves
from arena.store.database import Database

PROGRAM = (*MODULE, "arena.coordinator.solving_process")
NICE = 10
"""How nice such a process is: matches come first."""


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
                preexec_fn=dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - system calls only
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
            solve = solves.get(session, number)
            look = look_at(session, solve, upto, room)
        growth = growth or Growth(solves.game_of(solve), solve.frontier, solve.position)
        outlook = growth.look(look)
        upto = look.upto
        connection.send(outlook)


if __name__ == "__main__":
    main()
