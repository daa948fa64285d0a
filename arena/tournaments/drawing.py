"""The format and the openings that a plan asks for."""

from __future__ import annotations

from typing import Any

from arena.core.errors import InvalidError
from arena.schemas.plans import TournamentPlan
from arena.theory.pairing.format import Format, FormatError
from arena.theory.pairing.formats import find_format
from engines.game import Game
from engines.openings import OpeningsError, balanced_openings
from engines.stream import derive

MAX_OPENINGS = 40
"""Of a whole tournament; drawing so many takes some seconds on the largest board."""


def format_of(plan: TournamentPlan) -> Format:
    """The format that a plan names, with its options.

    Raises:
        InvalidError: they make none.
    """
    try:
        return find_format(plan.format.value, plan.options, plan.openings)
    except FormatError as error:
        raise InvalidError(error.message, **error.values) from None


def draw(game: Game[Any], plan: TournamentPlan, fmt: Format, seed: int) -> list[list[str]]:
    """The openings of the whole tournament.

    Raises:
        InvalidError: there are not so many, or they are too many.
    """
    if fmt.drawn > MAX_OPENINGS:
        raise InvalidError(
            "a tournament has at most %(max_openings)s openings in all, and %(openings)s for this "
            "format make %(drawn)s; ask for fewer",
            max_openings=MAX_OPENINGS,
            openings=plan.openings,
            drawn=fmt.drawn,
        )
    try:
        drawn = balanced_openings(game, fmt.drawn, plan.opening_plies, derive(seed, "openings"))
    except OpeningsError as error:
        found = InvalidError(error.message, **error.values)
        raise InvalidError("%(error)s (every cycle has openings of its own)", error=found) from None
    return [list(opening) for opening in drawn]
