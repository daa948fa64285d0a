"""Rounds that take long to pair are paired in processes of their own, so that nothing else waits for them.

Such a process knows nothing but a question and tells nothing but a proposal. It can be killed at any moment:
then the question is asked again, as it is where there was no memory or disk for it. Run as a program, this
module answers the question in its standard input.
"""

from __future__ import annotations

import math
import pickle
import signal
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import structlog

from arena.core.errors import Worded
from arena.core.processes import MODULE, dying_with_parent
from arena.theory.pairing.format import FormatError
from arena.tournaments import rounds

MAX_FAILURES = 3
"""So often a question may fail for want of something: its process is killed for its memory say."""
PAUSE_SECONDS = 10.0
"""After that it is not asked again for so long."""
WANTS = (MemoryError, OSError)
"""What is raised where something is wanting that may be there the next time."""

PROGRAM = (*MODULE, "arena.coordinator.pairing")

log = structlog.get_logger()


class Failure(NamedTuple):
    """That a question has no answer, and why."""

    tournament_id: int
    revision: int
    trouble: Worded

    @property
    def in_short(self) -> Worded:
        """Why in one line, the last one of a traceback."""
        *before, last = str(self.trouble).strip().splitlines()
        return Worded(last) if before else self.trouble


class _Work(NamedTuple):
    revision: int
    process: subprocess.Popen[bytes]
    told: IO[bytes]


class PairingPool:
    """Long questions, each about another tournament, that are being answered."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._works: dict[int, _Work] = {}
        self._failures = Counter[tuple[int, int]]()
        self._pauses: dict[tuple[int, int], float] = {}

    def is_at(self, tournament: int, revision: int) -> bool:
        """Whether the next round of that tournament, as it is, is being paired or has to wait for a while."""
        waits = self._monotonic() < self._pauses.get((tournament, revision), -math.inf)
        return waits or (tournament in self._works and self._works[tournament].revision == revision)

    @property
    def at_work(self) -> bool:
        """Whether any question is being answered."""
        return bool(self._works)

    def take(self, question: rounds.Question) -> rounds.Proposal | Failure | None:
        """The answer, unless the question is long or could not be answered just now: then None.

        Of a long one the answer comes later; an older question about its tournament is given up.
        """
        try:
            if not question.is_long:
                return answer(question)
            self._begin(question)
        except WANTS:
            return self._failed(question.tournament_id, question.revision, Worded(traceback.format_exc()))
        return None

    def _begin(self, question: rounds.Question) -> None:
        self._drop(question.tournament_id)
        with ExitStack() as unless_begun, TemporaryFile() as asked:
            told = unless_begun.enter_context(TemporaryFile())
            pickle.dump(question, asked)
            asked.seek(0)
            process = subprocess.Popen(
                PROGRAM,
                stdin=asked,
                stdout=told,
                preexec_fn=dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - system calls only
            )
            unless_begun.pop_all()  # it is closed with the work
        self._works[question.tournament_id] = _Work(question.revision, process, told)

    def answers(self) -> Iterator[rounds.Proposal | Failure]:
        """Those that have come meanwhile. Of a process that failed nothing comes, the first few times."""
        for tournament, work in list(self._works.items()):
            status = work.process.poll()
            if status is None:
                continue
            if status == 0:
                work.told.seek(0)
                yield _told(tournament, work.revision, pickle.load(work.told))  # noqa: S301 - our own
            else:
                trouble = Worded("its process ended with status %(status)s", status=status)
                if failure := self._failed(tournament, work.revision, trouble):
                    yield failure
            self._drop(tournament)

    def close(self) -> None:
        """Give up what is not answered."""
        for tournament in list(self._works):
            self._drop(tournament)

    def _failed(self, tournament: int, revision: int, trouble: Worded) -> Failure | None:
        """Take note that a question was not answered; if that was once too often it has no answer."""
        state = tournament, revision
        self._failures[state] += 1
        self._pauses[state] = self._monotonic() + PAUSE_SECONDS
        log.warning("a round could not be paired just now", tournament=tournament, trouble=str(trouble))
        return Failure(*state, trouble) if self._failures[state] >= MAX_FAILURES else None

    def _drop(self, tournament: int) -> None:
        work = self._works.pop(tournament, None)
        if work is not None:
            work.process.kill()
            work.process.wait()
            work.told.close()


def answer(question: rounds.Question) -> rounds.Proposal | Failure:
    """How the tournament goes on; whatever goes wrong with it is told, as the other tournaments go on.

    Raises:
        MemoryError, OSError: something was wanting that may be there the next time.
    """
    return _told(question.tournament_id, question.revision, _answer(question))


def _told(tournament: int, revision: int, outcome: rounds.Proposal | Worded) -> rounds.Proposal | Failure:
    return Failure(tournament, revision, outcome) if isinstance(outcome, Worded) else outcome


def _answer(question: rounds.Question) -> rounds.Proposal | Worded:
    try:
        return rounds.answer(question)
    except FormatError as error:
        return error
    except WANTS:
        raise
    except Exception:  # noqa: BLE001  (whatever it is)
        return Worded(traceback.format_exc())


def main() -> None:
    """Answer the question in the standard input; Ctrl-C is for the coordinator, which ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    told, sys.stdout = sys.stdout.buffer, sys.stderr
    pickle.dump(_answer(pickle.load(sys.stdin.buffer)), told)  # noqa: S301 - from the coordinator


if __name__ == "__main__":
    main()
