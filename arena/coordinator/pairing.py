"""Rounds that take long to pair are paired in processes of their own, so that nothing else waits for them.

Such a process knows nothing but a question and tells nothing but a proposal. It can be killed at any moment:
then the question is asked again. Run as a program, this module answers the question in its standard input.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import structlog

from arena.core.errors import Worded
from arena.core.processes import MODULE, dying_with_parent
from arena.theory.pairing.format import FormatError
from arena.tournaments import rounds

DEATHS = 3
"""So often a process may be killed over one question, by the system for its memory say."""

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

    def __init__(self) -> None:
        self._works: dict[int, _Work] = {}
        self._deaths = Counter[tuple[int, int]]()

    def is_at(self, tournament: int, revision: int) -> bool:
        """Whether the next round of that tournament, as it is, is being paired."""
        return tournament in self._works and self._works[tournament].revision == revision

    @property
    def at_work(self) -> bool:
        """Whether any question is being answered."""
        return bool(self._works)

    def take(self, question: rounds.Question) -> None:
        """Begin to answer; an older question about its tournament is given up."""
        self._drop(question.tournament_id)
        told = TemporaryFile()  # noqa: SIM115 - closed with the work
        with TemporaryFile() as asked:
            pickle.dump(question, asked)
            asked.seek(0)
            process = subprocess.Popen(
                PROGRAM,
                stdin=asked,
                stdout=told,
                preexec_fn=dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - system calls only
            )
        self._works[question.tournament_id] = _Work(question.revision, process, told)

    def answers(self) -> Iterator[rounds.Proposal | Failure]:
        """Those that have come meanwhile. Of a process that was killed nothing comes, the first few times."""
        for tournament, work in list(self._works.items()):
            status = work.process.poll()
            if status is None:
                continue
            if status == 0:
                work.told.seek(0)
                yield _told(tournament, work.revision, pickle.load(work.told))  # noqa: S301 - our own
            elif status > 0 or self._died_again(tournament, work.revision, -status):
                trouble = Worded("its process ended with status %(status)s", status=status)
                yield Failure(tournament, work.revision, trouble)
            self._drop(tournament)

    def close(self) -> None:
        """Give up what is not answered."""
        for tournament in list(self._works):
            self._drop(tournament)

    def _died_again(self, tournament: int, revision: int, by: int) -> bool:
        """Take note that a process was killed; whether that was once too often."""
        self._deaths[tournament, revision] += 1
        log.warning("a process that paired was killed", tournament=tournament, signal=by)
        return self._deaths[tournament, revision] >= DEATHS

    def _drop(self, tournament: int) -> None:
        work = self._works.pop(tournament, None)
        if work is not None:
            work.process.kill()
            work.process.wait()
            work.told.close()


def answer(question: rounds.Question) -> rounds.Proposal | Failure:
    """How the tournament goes on; whatever goes wrong with it is told, as the other tournaments go on."""
    return _told(question.tournament_id, question.revision, _answer(question))


def _told(tournament: int, revision: int, outcome: rounds.Proposal | Worded) -> rounds.Proposal | Failure:
    return Failure(tournament, revision, outcome) if isinstance(outcome, Worded) else outcome


def _answer(question: rounds.Question) -> rounds.Proposal | Worded:
    try:
        return rounds.answer(question)
    except FormatError as error:
        return error
    except Exception:  # noqa: BLE001  (whatever it is)
        return Worded(traceback.format_exc())


def main() -> None:
    """Answer the question in the standard input; Ctrl-C is for the coordinator, which ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    told, sys.stdout = sys.stdout.buffer, sys.stderr
    pickle.dump(_answer(pickle.load(sys.stdin.buffer)), told)  # noqa: S301 - from the coordinator


if __name__ == "__main__":
    main()
