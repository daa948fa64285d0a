"""Games that people have played, analysed by exact solvers: for who knows such a game's address."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.core.errors import ConflictError
from arena.play import games
from arena.store.models import Analysis, PlayGame, User
from arena.tournaments import analyses
from arena.tournaments.analyses import Played
from workers.core.contract import GameSpec


def played_of(row: PlayGame) -> Played:
    """The game as it is analysed, once it is over.

    Raises:
        ConflictError: it goes on, or its rules are not here any more.
    """
    if not games.is_over(row):
        raise ConflictError("the game goes on; it can be analysed when it is over")
    outcome = games.position(row).outcome
    winner = row.ended["winner"] if row.ended is not None else outcome.winner if outcome else None
    spec = GameSpec(name=row.game, params=row.params, version=row.game_version)
    return Played(spec, [each["move"] for each in row.moves], 0, winner)


def ask(session: Session, actor: User, row: PlayGame, most: int) -> Analysis:
    """Have a (locked) game analysed, for who may play in it.

    Raises:
        ConflictError: it goes on, nothing was played, or there is no solver for it.
        ForbiddenError, TooManyError: it is somebody else's, or the actor may not have one more now.
    """
    games.require_player(actor, row)
    return analyses.ask_played(session, actor, played_of(row), most)
