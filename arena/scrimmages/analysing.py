"""Games of scrimmages, analysed by exact solvers: for the two teams, and who runs their classes."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.core.errors import ConflictError
from arena.scrimmages.specs import game_of
from arena.store import scrimmages as store
from arena.store.models import Analysis, ScrimmageGame, User
from arena.tournaments import analyses
from arena.tournaments.analyses import Played


def played_of(session: Session, game: ScrimmageGame) -> Played:
    """A game as it is analysed, once it has a result.

    Raises:
        ConflictError: it has none.
    """
    if game.result is None:
        raise ConflictError(
            "game %(game)s has nothing to be analysed: it is %(state)s", game=game.number, state=game.state
        )
    moves = [str(move["move"]) for move in store.moves(session, game)]
    return Played(game_of(game.scrimmage), moves, len(game.opening), game.result.winner)


def ask(session: Session, actor: User, game: ScrimmageGame, most: int) -> Analysis:
    """Have a game analysed, which the actor sees.

    Raises:
        ConflictError: it has no result, nothing was played, or there is no solver for it.
        ForbiddenError, TooManyError: the actor may not have one more now.
    """
    return analyses.ask_played(session, actor, played_of(session, game), most)
