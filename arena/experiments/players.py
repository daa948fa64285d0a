"""The two players of an experiment: strategies by name, and submitted bots."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ForbiddenError, InvalidError
from arena.core.names import BOT_PREFIX
from arena.experiments.simulations import strategy_player
from arena.schemas.plans import ExperimentPlan
from arena.store.models import BotVersion, User
from arena.submissions import versions
from engines.game import Game, GameError
from engines.solvers.oracle import SolverError
from workers.simulation.contract import SimulatedPlayer

Side = Literal["first", "second"]
SIDES: tuple[Side, Side] = ("first", "second")
"""What the players are called in a plan."""


class PlayerError(InvalidError):
    """The player on a `side` is none of this game, or cannot play it with these parameters."""

    def __init__(self, message: str, side: Side, **values: object) -> None:
        super().__init__(message, **values)
        self.side = side


def by_name(plan: ExperimentPlan, side: Side, game: Game[Any]) -> SimulatedPlayer:
    """The player on a side, by its name.

    Raises:
        PlayerError: there is none.
    """
    text: str = getattr(plan, side)
    try:
        return strategy_player(text, game)
    except SolverError as error:
        raise PlayerError(
            "%(player)s does not play this game with these parameters: %(why)s",
            side,
            player=text[:40],
            why=str(error),
        ) from None
    except GameError as error:
        raise PlayerError(error.message, side, **error.values) from None


def version_of(session: Session, actor: User, text: str) -> BotVersion:
    """The submitted bot that ``bot:NAME[@VERSION]`` means, its newest version unless one is named.

    Raises:
        InvalidError, NotFoundError: there is no such bot or version.
        ForbiddenError: the user may not have it play.
    """
    name, at, number = text.removeprefix(BOT_PREFIX).partition("@")
    if at and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise InvalidError(
            "%(text)r names no version of a bot; write bot:%(name)s, or bot:%(name)s@2", text=text, name=name
        )
    bot = versions.get(session, name)
    if not permissions.tries(actor, bot):
        raise ForbiddenError(
            "the bot %(name)r belongs to %(owner)r; teams may use their own and the staff's",
            name=name,
            owner=bot.owner.name,
        )
    return versions.get_version(session, bot, int(number) if at else None)
