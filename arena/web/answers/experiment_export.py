"""An experiment or a sweep as a file: its counts, its games as lines, or a part of its recording."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from sqlalchemy.orm import Session
from starlette.responses import Response, StreamingResponse

from arena.access import permissions
from arena.core.errors import ConflictError, NotFoundError, UnavailableError
from arena.core.terms import ExperimentFormat
from arena.experiments import lifecycle, sweeps
from arena.experiments.simulations import table
from arena.experiments.sweep_table import as_csv, as_lines
from arena.store.models import Experiment, Sweep, User
from arena.web.http.dependencies import Services
from arena.web.http.download import Download, Texts
from workers.core.errors import RecordingError, RecordingMissingError
from workers.simulation.contract import record_tail

MEDIA_TYPES = {
    ExperimentFormat.CSV: "text/csv; charset=utf-8",
    ExperimentFormat.JSONL: "application/jsonl",
}


def export_of(services: Services, experiment: Experiment, form: ExperimentFormat) -> Download:
    """The counts for a spreadsheet, or the games themselves, a line each, in the order of their indices.

    Raises:
        ConflictError: its games are not recorded.
    """
    if form is ExperimentFormat.JSONL and not lifecycle.spec_of(experiment).record_games:
        raise ConflictError(
            f"experiment {experiment.id} does not record its games; create one with record_games"
        )

    def lines() -> Texts:
        with services.database.reading() as session:
            stored = lifecycle.get(session, experiment.id)
            yield from _csv_lines(stored) if form is ExperimentFormat.CSV else _game_lines(session, stored)

    return Download(lines, f"experiment-{experiment.id}.{form}", MEDIA_TYPES[form])


def table_of(session: Session, viewer: User | None, sweep: Sweep, form: ExperimentFormat) -> Response:
    """What the games of each experiment of a sweep come to so far, with intervals: a row an experiment."""
    write = as_csv if form is ExperimentFormat.CSV else as_lines
    name = f'attachment; filename="sweep-{sweep.name}.{form}"'
    told = "".join(write(sweeps.rows(session, viewer, sweep)))
    return Response(told, media_type=MEDIA_TYPES[form], headers={"Content-Disposition": name})


def part_of_recording(
    services: Services, viewer: User | None, experiment: Experiment, start: int
) -> Response:
    """The recorded games from one on, as many as a chunk has; the last part may have games beyond `done`.

    Raises:
        NotFoundError: there is no such part, or not any more.
        ConflictError: its games may not be seen yet.
        UnavailableError: the store of recordings does not answer.
    """
    recorded = experiment.columns is not None and start % experiment.chunk == 0 and start < experiment.done
    if not recorded:
        raise NotFoundError(
            f"experiment {experiment.id} has no recorded part that begins with game {start}; one with columns"
            " has parts from each multiple of its chunk on, up to the games that are done"
        )
    if not permissions.sees_seeds(viewer, experiment, experiment.state):
        raise ConflictError(f"experiment {experiment.id} is not over; what it is drawn from is shown then")
    try:
        pieces = services.recordings.get(experiment.id, start)
    except RecordingMissingError:
        raise NotFoundError(
            f"the recording of experiment {experiment.id} from game {start} on is kept no more: it was"
            " removed some time after the end, and what was counted stays"
        ) from None
    except RecordingError as error:
        raise UnavailableError(str(error)) from None
    return StreamingResponse(pieces, media_type="application/octet-stream")


def _csv_lines(experiment: Experiment) -> Iterator[str]:
    """A heading, then what the games that are done come to: by the first player's seat, and in all."""
    buffer = io.StringIO()
    csv.writer(buffer).writerows(table(lifecycle.summary_of(experiment)))
    yield buffer.getvalue()


def _game_lines(session: Session, experiment: Experiment) -> Iterator[str]:
    """Every recorded game that is done, as JSON that `arena match show` reads."""
    tail = record_tail(lifecycle.spec_of(experiment), f"experiment {experiment.id}").decode()
    for line in lifecycle.games(session, experiment):
        yield f"{line.model_dump_json()[:-1]}{tail}\n"
