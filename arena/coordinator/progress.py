"""How far a check is that is being done, as its worker tells it through the broker's server.

Anybody on the broker may write there. It is looked for only under the token of the attempt that the database
knows of, each line is checked for its form, and the first that no worker would write ends what is told.
"""

from __future__ import annotations

from pydantic import ValidationError

from arena.coordinator.broker import Broker
from arena.core.errors import UnavailableError
from arena.core.terms import VersionState
from arena.store.models import Check
from workers.checks.contract import STEPS, Step, StepReport

MAX_LINES = 200


def so_far(broker: Broker, check: Check) -> list[StepReport]:
    """The parts that are done of a check that is not over; none where the broker does not say."""
    if check.version.state != VersionState.CHECKING or check.token is None:
        return []
    try:
        return steps_in(broker.check_steps(check.token), check)
    except UnavailableError:
        return []


def steps_in(text: bytes, check: Check) -> list[StepReport]:
    """The parts that are done, of those that the check has."""
    expected = planned(check)
    done: list[StepReport] = []
    for line in text.splitlines()[:MAX_LINES]:
        try:
            step = StepReport.model_validate_json(line)
        except ValidationError:
            break
        if len(done) == len(expected) or (step.step, step.game) != expected[len(done)]:
            break
        done.append(step)
    return done


def planned(check: Check) -> list[tuple[Step, str | None]]:
    """All parts of a check in their order."""
    return [(Step.BUILD, None), *((step, game) for game in check.version.games for step in STEPS)]
