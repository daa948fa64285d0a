"""Every format that there is, by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from arena.theory.pairing.contract import FormatName
from arena.theory.pairing.format import Format, FormatError
from arena.theory.pairing.groups import Groups
from arena.theory.pairing.knockout import Knockout
from arena.theory.pairing.ladder import Ladder
from arena.theory.pairing.round_robin import DoubleRoundRobin, Gauntlet, RoundRobin
from arena.theory.pairing.swiss import Swiss, SwissDutch

FORMATS: dict[str, type[Format]] = {
    FormatName.ROUND_ROBIN: RoundRobin,
    FormatName.DOUBLE_ROUND_ROBIN: DoubleRoundRobin,
    FormatName.SWISS_DUTCH: SwissDutch,
    FormatName.SWISS: Swiss,
    FormatName.KNOCKOUT: Knockout,
    FormatName.GROUPS: Groups,
    FormatName.GAUNTLET: Gauntlet,
    FormatName.LADDER: Ladder,
}


def find_format(name: str, options: Mapping[str, Any] | None = None, openings: int = 0) -> Format:
    """The format called `name` with its own options; `openings` as in `Format`.

    Raises:
        FormatError: there is no such format, or it has not such options.
    """
    if name not in FORMATS:
        raise FormatError(
            "there is no format %(name)r; choose one of %(formats)s",
            name=str(name),
            formats=", ".join(FORMATS),
        )
    options = dict(options or {})
    kind = FORMATS[name]
    known = sorted(set(kind.model_fields) - {"openings"})
    for option in options:
        if option not in known:
            having = f"it has {', '.join(known)}" if known else "it has none"
            raise FormatError(
                "the format %(name)r has no option %(option)r; %(having)s",
                name=str(name),
                option=option,
                having=having,
            )
    try:
        return kind(openings=openings, **options)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "options"
        why = first["msg"].removeprefix("Value error, ").replace("Input should", "it should")
        raise FormatError(
            "the option %(where)s of the format %(name)r is wrong: %(why)s",
            where=where,
            name=str(name),
            why=why,
        ) from None
