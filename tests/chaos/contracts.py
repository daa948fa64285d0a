"""The schemas of what goes to workers and comes from them, as JSON, in this version or in a release."""

from __future__ import annotations

import json
import sys
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from arena.coordinator.recorder import FORMS
from workers.checks.contract import CheckReport, CheckSpec, StepReport
from workers.core.contract import MatchResult, MatchSpec
from workers.play.analysis import Analysis
from workers.simulation.contract import Block, SimulationSpec

SPECS: tuple[type[BaseModel], ...] = (MatchSpec, CheckSpec, SimulationSpec)
REPORTS: tuple[type[BaseModel], ...] = (
    *FORMS.values(),
    MatchResult,
    CheckReport,
    StepReport,
    Analysis,
    Block,
)


def schemas() -> dict[str, dict[str, Any]]:
    """For `specs` and `reports` each the schema of every type in them, by its name."""
    return {
        name: models_json_schema([(each, "validation") for each in types])[1]["$defs"]
        for name, types in (("specs", SPECS), ("reports", REPORTS))
    }


if __name__ == "__main__":
    json.dump(schemas(), sys.stdout)
