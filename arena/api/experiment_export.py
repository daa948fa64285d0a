"""An experiment as a stream of lines: its counts, or its games."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from sqlalchemy.orm import Session

from arena import experiments
from arena.simulations import table
from arena.store.models import Experiment


def csv_lines(experiment: Experiment) -> Iterator[str]:
    """A heading, then what the games that are done come to: by the first player's seat, and in all."""
    buffer = io.StringIO()
    csv.writer(buffer).writerows(table(experiments.summary_of(experiment)))
    yield buffer.getvalue()


def game_lines(session: Session, experiment: Experiment) -> Iterator[str]:
    """Every recorded game that is done, as JSON."""
    for line in experiments.games(session, experiment):
        yield line.model_dump_json() + "\n"
