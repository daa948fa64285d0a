"""An experiment as a stream of lines: its counts, or its games."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from sqlalchemy.orm import Session

from arena.experiments import lifecycle
from arena.experiments.simulations import table
from arena.store.models import Experiment
from workers.simulation.contract import record_tail


def csv_lines(experiment: Experiment) -> Iterator[str]:
    """A heading, then what the games that are done come to: by the first player's seat, and in all."""
    buffer = io.StringIO()
    csv.writer(buffer).writerows(table(lifecycle.summary_of(experiment)))
    yield buffer.getvalue()


def game_lines(session: Session, experiment: Experiment) -> Iterator[str]:
    """Every recorded game that is done, as JSON that `arena match show` reads."""
    tail = record_tail(lifecycle.spec_of(experiment), f"experiment {experiment.id}").decode()
    for line in lifecycle.games(session, experiment):
        yield f"{line.model_dump_json()[:-1]}{tail}\n"
