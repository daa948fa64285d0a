"""Sweeps: one simulation for every combination of some values, from a file or a request to its cells."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple, Self

from pydantic import (
    AfterValidator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
    model_validator,
)

from arena.core.errors import Worded
from arena.core.names import SLUG, check_slug
from arena.core.validation import refusal
from arena.experiments.simulations import COLUMNS
from arena.schemas.plans import ExperimentPlan
from engines.stream import derive
from workers.core.contract import Frozen

MAX_CELLS = 2_000
MAX_AXES = 10
MAX_DEPTH = 20
"""So deep lists and objects may stand in each other in `each`."""

PLACE = re.compile(r"\{(\w*)\}")
"""Where a value that is varied goes."""

CELL_COLUMNS = ("cell", "experiment", "state", "game", "first", "second", "seed", "match", "asked", "stopped")
"""The columns of a sweep's table before those of the counts; after these come the values that are varied."""

TAKEN = frozenset((*CELL_COLUMNS, *COLUMNS, "plies_mean"))

AxisName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w{0,39}$")]
Value = StrictBool | StrictInt | Annotated[StrictFloat, Field(allow_inf_nan=False)] | StrictStr


class GridError(Worded, ValueError):
    """The values of a grid make no simulations; change them as the message says."""


def _name(name: str) -> str:
    if name.isdigit():
        raise GridError("a sweep's name is not a number, as %(name)s is: experiments have those", name=name)
    return check_slug(name, of="sweep")


class Cell(NamedTuple):
    """One simulation of a sweep: its number from 0 on, its choice of the values that are varied, its plan."""

    number: int
    values: dict[str, Any]
    plan: ExperimentPlan


class SweepPlan(Frozen):
    """A grid of simulations: what all of them have is `each`, and every combination of `vary` is one.

    `each` has the fields of an experiment's plan. ``{name}`` in a text there is replaced by the value of that
    name; a text that is nothing else becomes the value itself, so that numbers stay numbers. Where `each` has
    no `match`, each simulation gets one that follows from its values, but for those of its seed, so that
    no two share their chance, and none changes when others are added.
    """

    name: Annotated[str, AfterValidator(_name), Field(json_schema_extra={"pattern": SLUG})]
    about: Annotated[str, Field(max_length=1000, description="What it is for, for people.")] = ""
    vary: Annotated[
        dict[AxisName, Annotated[tuple[Value, ...], Field(min_length=1, max_length=MAX_CELLS)]],
        Field(max_length=MAX_AXES, description="The values of each name; the last one changes first."),
    ]
    each: dict[str, Any]

    @model_validator(mode="after")
    def _is_a_grid(self) -> Self:
        cells = math.prod(map(len, self.vary.values()))
        if cells > MAX_CELLS:
            raise GridError(
                "these are %(cells)s simulations; a sweep has at most %(most)s",
                cells=f"{cells:,}",
                most=f"{MAX_CELLS:,}",
            )
        used = set(_names_in(self.each))
        for name, values in self.vary.items():
            if len({json.dumps(value) for value in values}) < len(values):
                raise GridError("vary.%(name)s has a value twice", name=name)
            if name in TAKEN:
                raise GridError(
                    "vary.%(name)s: the table has a column of that name; choose another", name=name
                )
            if name not in used:
                raise GridError(
                    "vary.%(name)s changes nothing: write {%(name)s} where it goes in each", name=name
                )
        for name in sorted(used - self.vary.keys()):
            raise GridError(
                "each has {%(name)s}, but vary has no %(name)s; it has %(having)s",
                name=name,
                having=", ".join(self.vary),
            )
        return self

    @property
    def digest(self) -> str:
        """The SHA-256 of what is played, in hexadecimal; `about` is not part of it."""
        told = self.model_dump(mode="json", exclude={"about"})
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

    @property
    def secret(self) -> frozenset[str]:
        """The names whose values the seeds follow from: with them one could know what bots will be asked."""
        return frozenset(_names_in(self.each.get("seed")))

    def cells(self) -> Iterator[Cell]:
        """The simulations, in the order of the values.

        Raises:
            GridError: one of them cannot be; the message says which, and what of it.
        """
        for number, values in enumerate(itertools.product(*self.vary.values())):
            chosen = dict(zip(self.vary, values, strict=True))
            fields = _filled(self.each, chosen)
            open_ones = {name: value for name, value in chosen.items() if name not in self.secret}
            fields.setdefault("match", derive("sweep", json.dumps(open_ones, sort_keys=True)))
            try:
                yield Cell(number, chosen, ExperimentPlan.model_validate(fields))
            except ValidationError as error:
                first = error.errors()[0]
                raise GridError(
                    "%(where)s: %(why)s (%(values)s)",
                    where=".".join(("each", *map(str, first["loc"]))),
                    why=refusal(first),
                    values=described(chosen),
                ) from None


def described(values: Mapping[str, Any]) -> str:
    """The values of a cell in a line."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _names_in(part: Any, depth: int = 0) -> Iterator[str]:
    if depth > MAX_DEPTH:
        raise GridError("each: lists and objects stand in each other more than %(most)s deep", most=MAX_DEPTH)
    if isinstance(part, str):
        yield from PLACE.findall(part)
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _names_in(each, depth + 1)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _names_in(each, depth + 1)


def _filled(part: Any, values: Mapping[str, Any]) -> Any:
    """`part` with the values in their places."""
    if isinstance(part, str):
        whole = PLACE.fullmatch(part)
        if whole:
            return values[whole[1]]
        return PLACE.sub(lambda place: str(values[place[1]]), part)
    if isinstance(part, Mapping):
        return {name: _filled(each, values) for name, each in part.items()}
    if isinstance(part, list | tuple):
        return [_filled(each, values) for each in part]
    return part
