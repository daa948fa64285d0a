"""Experiments in the tests' small world: creating them, and workers that play their chunks at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from arena.coordinator import chunks, leases
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.messages import ChunkMessage
from arena.experiments import lifecycle
from arena.experiments.simulations import make_spec, strategy_player
from arena.schemas.plans import ExperimentPlan
from arena.store.models import Experiment, ExperimentChunk
from engines.games import find_game
from tests.integration.arena.world import World, taken
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import Block, SimulationSpec

PLAN: dict[str, Any] = {
    "game": "heap_nim",
    "params": {"heaps": [1, 2, 3]},
    "first": "random",
    "second": "xor",
    "games": 100,
    "seed": 3,
    "swap": True,
    "chunk": 20,
}
SPEC = make_spec(
    find_game("heap_nim", {"heaps": [1, 2, 3]}),
    (
        strategy_player("random", find_game("heap_nim", {"heaps": [1, 2, 3]})),
        strategy_player("xor", find_game("heap_nim", {"heaps": [1, 2, 3]})),
    ),
    games=100,
    seed=3,
    swap=True,
)
"""What `PLAN` comes to."""


def played(message: ChunkMessage) -> list[Block]:
    """What the chunk of `message` comes to."""
    return play_chunk(message.spec, message.start, message.count, cut=message.cut, plain=True)


def whole(spec: SimulationSpec) -> Block:
    """What all games of `spec` come to, played in one go."""
    (block,) = play_chunk(spec, 0, spec.games, cut=0, plain=True)
    return block


@dataclass
class Lab:
    """A world in which experiments are made."""

    world: World

    def create(self, **changes: Any) -> int:
        """A new experiment; its number."""
        with self.world.database.transaction() as session:
            plan = ExperimentPlan(**PLAN | changes)
            return lifecycle.create(session, self.world.staff, plan).id

    def get(self, number: int = 1) -> Experiment:
        """An experiment as it is in the database now."""
        with self.world.database.reading() as session:
            return lifecycle.get(session, number)

    def chunks(self) -> list[ExperimentChunk]:
        """All chunks that there are, in order."""
        with self.world.database.reading() as session:
            return list(session.scalars(select(ExperimentChunk).order_by(ExperimentChunk.start)))

    def issue(self, **settings: Any) -> list[ChunkMessage]:
        """Publish what there is room for; the messages."""
        with self.world.database.transaction() as session:
            return leases.issue(chunks.WORK, session, self.world.settings.model_copy(update=settings))

    def heartbeat(self, message: ChunkMessage, host: str = "test-host") -> Verdict:
        """Report that the chunk of `message` is alive."""
        return self._report(leases.heartbeat, message, host=host)

    def lose(self, message: ChunkMessage, trouble: str = "no room") -> Verdict:
        """Report that the chunk of `message` could not be played."""
        return self._report(leases.lost, message, host="test-host", trouble=trouble)

    def record(
        self,
        message: ChunkMessage,
        blocks: Sequence[Block | dict[str, Any]] | None = None,
        seconds: float = 1,
    ) -> Verdict:
        """Report what a chunk came to; what it does come to unless something else is given."""
        told = [
            block.model_dump(mode="json") if isinstance(block, Block) else block
            for block in (played(message) if blocks is None else blocks)
        ]
        report = {"blocks": told, "elapsed_ns": int(seconds * 10**9)}
        return self._report(leases.record, message, report=report)

    def _report(self, step: leases.Step, message: ChunkMessage, **told: Any) -> Verdict:
        settings = self.world.settings
        with self.world.database.transaction() as session:
            return taken(step, chunks.WORK, session, _about(message), settings=settings, **told)


def _about(message: ChunkMessage) -> Attempt:
    return Attempt((message.experiment, message.start), message.attempt, message.token)
