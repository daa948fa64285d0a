"""Chunks of experiments as a host plays them: in blocks, and where it is asked for with their games kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from workers.core.contract import BotRef
from workers.core.errors import SpecError
from workers.core.halt import Halt
from workers.core.host_limits import check_limits
from workers.host.requeueing import records_url
from workers.sandbox.confinement import Program
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import Block, RowOf, SimulatedPlayer, SimulationSpec
from workers.simulation.parts import Parts
from workers.simulation.recordings import RecordingStore, scratch


def blocks_of(
    spec: SimulationSpec,
    games: range,
    program: Callable[[BotRef, Halt], Program],
    *,
    cut: int,
    halt: Halt,
) -> list[Block]:
    """What these games come to: one block, or with `cut` as many as a stopping rule may look at.

    Raises:
        SpecError: a player is none that a worker plays; or as `program` raises, which starts a stored bot.
    """
    if any(player.command for player in spec.players):
        raise SpecError("a command of another machine cannot be played by a worker, only stored bots can")
    if any(player.archive for player in spec.players):
        check_limits(spec.limits)

    def program_of(player: SimulatedPlayer) -> Program:
        return program(BotRef(name=player.name, archive=player.archive), halt)

    return play_chunk(spec, games.start, len(games), cut=cut, commands=program_of, halt=halt)


def recorded(
    spec: SimulationSpec, games: range, rows: RowOf, experiment: int, *, cut: int, halt: Halt
) -> list[Block]:
    """The same, once the games, which are of players by name, are in the store of recordings.

    Raises:
        SpecError, MissingParquetError: a player is none by name, or there is nowhere to record.
        RecordingError: the store does not take them.
    """
    if any(player.strategy is None for player in spec.players):
        raise SpecError(
            "only games of players by name are recorded in columns, and this host plays no others so"
        )
    url = records_url()
    with scratch() as folder:
        parts = Parts(Path(folder), rows)
        keeping = spec.model_copy(update={"record_games": True})
        blocks = play_chunk(keeping, games.start, len(games), cut=cut, halt=halt, parts=parts)
        RecordingStore(url).put(experiment, games.start, parts.path(games.start))
    return blocks
