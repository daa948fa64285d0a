"""The games that an experiment recorded on the workers, fetched from there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.shared.failures import UsageError
from arena.core.words import say
from arena.local.files import write_whole
from arena.local.game_folder import save_parts

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.experiments import ExperimentOut


def save_games(client: ArenaClient, experiment: ExperimentOut, record: Path, *, force: bool) -> None:
    """Fetch the games into a folder of columns, or a file of lines, whichever they were recorded in.

    Raises:
        UsageError: the folder or the file cannot be made.
        ClientError: the arena does not answer, or refuses.
    """
    if experiment.columns is not None:
        save_recording(client, experiment, record, force=force)
    else:
        write_whole(record, client.export_experiment(experiment.id, "jsonl"), force=force)


def save_recording(client: ArenaClient, experiment: ExperimentOut, folder: Path, *, force: bool) -> int:
    """Fetch the games that an experiment recorded in columns into a folder of Parquet files; their bytes.

    Raises:
        UsageError: it recorded none, or the folder cannot be made.
        ClientError: the arena does not answer, or refuses.
    """
    number = experiment.id
    if experiment.columns is None:
        raise UsageError(
            say(
                "experiment {number} records no games in columns; `arena simulate --on workers --record "
                "FILE.parquet` asks for one that does",
                number=number,
            )
        )
    return save_parts(
        folder,
        experiment.columns,
        experiment.chunk,
        experiment.done,
        lambda start: client.recorded_part(number, start),
        force=force,
    )
