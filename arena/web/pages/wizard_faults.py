"""What the form that makes a tournament calls its fields, and how it says why one of them was refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from arena.core.errors import ArenaError, Worded
from arena.core.validation import refusal
from arena.schemas import plans
from arena.schemas.plans import PlanError
from arena.web.pages.wording import N_
from engines.games import find_presentation
from engines.presentation import Words

SECONDS = {name: f"{name}_ms" for name in ("move", "extension", "bank", "increment", "startup", "grace")}
"""The fields that are typed in seconds, and what they are in a time control."""

LABELS = {
    "title": N_("Title"),
    "name": N_("Name in addresses"),
    "class_name": N_("Class"),
    "game": N_("Game"),
    "format": N_("Format"),
    "heroes": N_("Heroes"),
    "standings_order": N_("Order of the table"),
    "reference_bots": N_("Reference bots that take part"),
    "other_references": N_("Others, such as mcts:1000"),
    "openings": N_("Openings"),
    "opening_plies": N_("Plies of an opening"),
    "seed": N_("Seed"),
    "move": N_("Seconds for a move"),
    "extensions": N_("Extensions in a game"),
    "extension": N_("Seconds for an extended move"),
    "bank": N_("Reserve for the game, in seconds"),
    "increment": N_("Seconds added to the reserve a move"),
    "startup": N_("Seconds to start"),
    "grace": N_("Seconds of grace"),
    "bots": N_("Bots"),
    "workers": N_("Played at once"),
}
TAKEN = N_("This name is taken, or looks like one that is. Choose another one.")
LIMITS = {
    "memory_mb": N_("Memory (MB)"),
    "processes": N_("Processes and threads"),
    "cpu_seconds": N_("Processor time of a match (s)"),
    "wall_seconds": N_("Length of a match (s)"),
    "disk_mb": N_("Files in the scratch folder (MB)"),
    "file_mb": N_("One file (MB)"),
    "open_files": N_("Open files"),
    "line_bytes": N_("Bytes of a line"),
    "output_bytes": N_("Bytes of standard error"),
}
AT_LEAST = N_("at least %(least)s")
AT_MOST = N_("at most %(most)s")
TOGETHER = {
    plans.SHORT_EXTENSION: ("extension", N_("at least %(move)s, as for any move; or no extensions")),
    plans.NO_RESERVE: ("bank", N_("to be given where seconds are added to it")),
    plans.NO_HEROES: ("heroes", N_("Name the bots that all others are to meet.")),
    plans.SAME_OPENINGS: ("opening_plies", N_("at least 1, as several openings would be all the same")),
}
"""Of what a plan refuses because fields do not go together: the field to change, and how."""


Label = str | Words
"""What a field is called: a message of the catalogue, or a game's own word for its parameter."""


class Fault(NamedTuple):
    """Why a field was refused: in words of the form, or as the arena says it."""

    label: Label
    message: str = ""
    values: Mapping[str, Any] = {}
    error: Worded | None = None


class RefusedError(Exception):
    """What was typed makes no plan."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__()
        self.faults = faults


def faults_of(error: Mapping[str, Any]) -> list[Fault]:
    """What pydantic found, in our words where it is common."""
    context = error.get("ctx", {})
    refused = context.get("error")
    if isinstance(refused, PlanError):
        return _refused(refused)
    *_, last = error["loc"] or ("",)
    where = {field: name for name, field in SECONDS.items()}.get(str(last), str(last))
    label = LABELS.get(where) or LIMITS.get(where) or ""
    factor = 1000 if where in SECONDS else 1
    if "ge" in context:
        return [Fault(label, AT_LEAST, {"least": _told(context["ge"], factor)})]
    if "le" in context:
        return [Fault(label, AT_MOST, {"most": _told(context["le"], factor)})]
    if "lt" in context:
        return [Fault(label, N_("less than %(most)s"), {"most": _told(context["lt"], factor)})]
    if where == "name":
        message = N_("Write 1 to 60 lower-case letters (a-z), digits and hyphens; “new” alone is not free.")
        return [Fault(label, message)]
    return [Fault(label, error=refusal(error))]


def fault_of(game: str, error: ArenaError) -> Fault:
    """What the arena itself has refused, at the field of the game's parameter where it is one."""
    parameter = error.values.get("parameter")
    label = find_presentation(game).parameter(parameter) if isinstance(parameter, str) else ""
    return Fault(label, error=error)


def _refused(error: PlanError) -> list[Fault]:
    values: Mapping[str, Any] = error.values
    if error.message == plans.EXCESSIVE:
        message = N_("at most %(most)s, as no host gives more")
        return [Fault(LIMITS[name], message, {"most": values[name]}) for name in LIMITS if name in values]
    field, message = TOGETHER[error.message]
    seconds = {name: _told(values[ms], 1000) for name, ms in SECONDS.items() if ms in values}
    return [Fault(LABELS[field], message, seconds)]


def _told(bound: float, factor: int) -> str:
    return f"{bound / factor:.16g}"
