"""A worker that analyses games in this process."""

from __future__ import annotations

import contextlib
from typing import Any

from arena.coordinator import leases, reviews
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.messages import ReviewMessage
from arena.core.settings import Settings
from tests.integration.arena.world import World, taken
from workers.core.halt import Halt
from workers.play.analysis import analyse


def give_out(world: World, settings: Settings) -> list[ReviewMessage]:
    """Give out what waits, as far as there is room."""
    with world.database.transaction() as session:
        return leases.issue(reviews.WORK, session, settings)


def report(world: World, step: leases.Step, message: ReviewMessage, **told: Any) -> Verdict:
    """Report on an analysis."""
    about = Attempt((int(message.spec.match),), message.attempt, message.token)
    with world.database.transaction() as session:
        return taken(step, reviews.WORK, session, about, settings=world.settings, **told)


def judged(message: ReviewMessage) -> dict[str, Any]:
    """What a worker reports."""
    with contextlib.closing(Halt()) as halt:
        return analyse(message.spec, halt).model_dump(mode="json")


def analyse_all(world: World) -> int:
    """Analyse what was asked for; how many games these were."""
    done = 0
    while messages := give_out(world, world.settings):
        for message in messages:
            assert report(world, leases.record, message, report=judged(message)) == Verdict.TAKEN
        done += len(messages)
    return done
