"""Solves in the tests' small world: a coordinator with its trees, and workers that search in this process."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from arena.coordinator import leases, solving
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.loop import Coordinator
from arena.coordinator.messages import LeafMessage
from arena.coordinator.solving_tree import Growth, Outlook, look_at
from arena.core.terms import OPEN_SOLVES, SolveState
from arena.experiments import solves
from arena.schemas.solves import SolvePlan
from arena.store import solves as store
from arena.store.database import Database
from arena.store.models import Solve, SolveBound, SolveLeaf
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import World, taken
from tests.waiting import eventually
from workers.core.halt import Halt
from workers.solving.leaves import Leaves

HOST = "test-host"
PLAN: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 4}, "frontier": 8, "memory_mb": 1}
VALUE = {True: 3, False: -8}
"""What comes out on 4 by 4 squares, with fewer and with more discs, as `docs/solving.md` has it."""
MOVES = ["c1", "d2", "a3", "b4"]
"""The best first moves, which all mean the same."""


class TreeHere:
    """The tree of a solve in this process: it has answered as soon as it is asked."""

    is_thinking = False

    def __init__(self, database: Database, number: int) -> None:
        self._database, self._number = database, number
        self._growth: Growth | None = None
        self.outlook: Outlook | None = None
        self.upto, self.is_exhausted = -1, False

    def ask(self, room: int) -> None:
        """Look, and say how things stand."""
        with self._database.reading() as session:
            solve = solves.get(session, self._number)
            look = look_at(session, solve, max(0, self.upto), room)
        self._growth = self._growth or Growth(solves.game_of(solve), solve.frontier, solve.position)
        self.outlook = self._growth.look(look)
        self.upto, self.is_exhausted = look.upto, len(self.outlook.jobs) < room

    def hear(self) -> None:
        """It has been heard."""

    def close(self) -> None:
        """There is nothing to end."""


class Solvers:
    """A world in which games are solved by a trusted host, whose workers do what they are told at once."""

    def __init__(self, world: World) -> None:
        self.world = world
        url = world.database.engine.url.render_as_string(hide_password=False)
        world.settings = world.settings.model_copy(update={"database_url": url})
        world.enrol(HOST)
        self.clock = Later()
        self.coordinator: Coordinator = coordinator_of(world, self.clock)
        self.leaves = Leaves(time.monotonic)

    def create(self, **changes: Any) -> int:
        """A new solve; its number."""
        with self.world.database.transaction() as session:
            return solves.create(session, self.world.staff, SolvePlan(**PLAN | changes)).id

    def get(self, number: int = 1) -> Solve:
        """A solve as it is in the database now."""
        with self.world.database.reading() as session:
            return solves.get(session, number)

    def known(self, number: int = 1) -> list[SolveBound]:
        """All answers."""
        with self.world.database.reading() as session:
            return list(store.bounds_from(session, solves.get(session, number), 0))

    def given(self, number: int = 1) -> list[SolveLeaf]:
        """What is to be found out and was not yet."""
        with self.world.database.reading() as session:
            return list(store.leaves(session, solves.get(session, number)))

    @property
    def queue(self) -> list[LeafMessage]:
        """What waits for a worker."""
        return self.world.broker.leaves

    def tick(self) -> None:
        """Let the coordinator look, and its trees say what they have to."""
        self.coordinator.tick()
        if solving.WORK.is_thinking:
            trees = solving.WORK._trees.values()
            eventually(lambda: all(not each.is_thinking or each._connection.poll() for each in trees))
            self.coordinator.tick()

    def answer(self, message: LeafMessage) -> dict[str, Any]:
        """What a worker finds out."""
        with contextlib.closing(Halt()) as halt:
            return self.leaves.search(message.spec, message.solve, halt).model_dump(mode="json")

    def record(self, message: LeafMessage, host: str | None = HOST, **changed: Any) -> Verdict:
        """Report that, or something else."""
        return self._report(leases.record, message, host, report=self.answer(message) | changed)

    def heartbeat(self, message: LeafMessage, host: str = HOST) -> Verdict:
        """Give a sign of life."""
        return self._report(leases.heartbeat, message, host, host=host)

    def lose(self, message: LeafMessage, *, stopped: bool = False) -> Verdict:
        """Say that it could not be done."""
        return self._report(leases.lost, message, HOST, host=HOST, trouble="no room", stopped=stopped)

    def _report(self, step: leases.Step, message: LeafMessage, signer: str | None, **told: Any) -> Verdict:
        about = Attempt((message.solve, message.leaf), message.attempt, message.token, signer)
        with self.world.database.transaction() as session:
            return taken(step, solving.WORK, session, about, settings=self.world.settings, **told)

    def rounds(self, number: int = 1) -> Iterator[LeafMessage]:
        """One message after the other, taken from the queue, until the solve is over."""
        while self.get(number).state in OPEN_SOLVES:
            self.tick()
            if self.queue:
                yield self.queue.pop(0)

    def solve(self, number: int = 1) -> Solve:
        """Have workers do what is to be done until the solve is over."""
        for message in self.rounds(number):
            self.record(message)
        solve = self.get(number)
        assert solve.state == SolveState.FINISHED, solve.trouble
        return solve

    def proof(self, number: int = 1) -> bytes:
        """The proof of what came out."""
        with self.world.database.reading() as session:
            return "".join(store.proof(session, solves.get(session, number))).encode()

    def checkpoint(self, number: int = 1) -> str:
        """The file of what is known."""
        with self.world.database.reading() as session:
            return "".join(solves.checkpoint(session, solves.get(session, number)))
