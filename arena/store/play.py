"""Queries for games that people play: whose they are, the turns that bots play in them, and what is old."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Select, delete, exists, func, select
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.store.leases import ISSUED, locked
from arena.store.models import PlayGame, PlayTurn, User

UNFINISHED = (MatchState.PENDING, *ISSUED)
AT_ONCE = 200
"""So many old games are removed at once."""
TAKEN_BACK = 50
"""So many turns of one ply, the newest, are looked through for that of a position."""
_PLAYER_LOCK = 0x706C6179
"""The first of the two numbers of PostgreSQL's advisory locks of players, so that they meet no others."""


def by_address(session: Session, address: str, *, lock: bool = False) -> PlayGame | None:
    """The game of that address; with `lock` as it is now, and nobody else changes it until this ends."""
    query = select(PlayGame).where(PlayGame.address == address)
    if lock:
        query = query.with_for_update(of=PlayGame).execution_options(populate_existing=True)
    return session.scalar(query)


def of_player(player: str) -> Select[PlayGame]:
    """The games of a player, the last touched first."""
    return select(PlayGame).where(PlayGame.player == player).order_by(PlayGame.changed_at.desc(), PlayGame.id)


def turn_at(session: Session, game: PlayGame, *, hint: bool = False) -> PlayTurn | None:
    """The last turn, or the last hint, that was asked for where a game stands and was not called off.

    After an undo other moves may have led to the same ply, and after a restart on another board: what was
    asked there then is of another position.
    """
    what = PlayTurn.seat.is_(None) if hint else PlayTurn.seat.is_not(None)
    query = select(PlayTurn).where(
        PlayTurn.game_id == game.id,
        what,
        PlayTurn.ply == len(game.moves),
        PlayTurn.state != MatchState.CANCELLED,
    )
    moves = [each["move"] for each in game.moves]
    there = session.scalars(query.order_by(PlayTurn.id.desc()).limit(TAKEN_BACK))
    return next(
        (
            turn
            for turn in there
            if turn.spec["opening"] == moves and turn.spec["game"]["params"] == game.params
        ),
        None,
    )


def lock_unfinished(session: Session, game: PlayGame) -> Sequence[PlayTurn]:
    """The turns and hints of a game that are asked for and not there yet, locked."""
    query = select(PlayTurn).where(PlayTurn.game_id == game.id, PlayTurn.state.in_(UNFINISHED))
    return session.scalars(locked(query.order_by(PlayTurn.id), PlayTurn)).all()


def lock_player(session: Session, player: str) -> None:
    """Have whoever else asks for a turn of that player wait until this transaction ends.

    Of somebody without an account there is no row to lock. On SQLite there is one writer at a time anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(_PLAYER_LOCK, func.hashtext(player))))


def asked_since(session: Session, player: str, since: dt.datetime) -> tuple[int, dt.datetime | None]:
    """How many turns and hints a player has asked for since then, and when the first of them."""
    query = select(func.count(), func.min(PlayTurn.created_at))
    row = session.execute(query.where(PlayTurn.player == player, PlayTurn.created_at > since)).one()
    return row[0], row[1]


def count_games(session: Session, player: str) -> int:
    """How many games of a player are kept."""
    return session.scalar(select(func.count()).where(PlayGame.player == player)) or 0


def delete_old(session: Session, before: dt.datetime) -> int:
    """Delete games that nobody has touched since then, some of them at once; how many these were."""
    old = select(PlayGame.id).where(PlayGame.changed_at < before).order_by(PlayGame.changed_at)
    return _delete(session, session.scalars(old.limit(AT_ONCE)).all())


def delete_of(session: Session, owner: User) -> int:
    """Remove the games of a user; how many."""
    return _delete(session, session.scalars(select(PlayGame.id).where(PlayGame.owner_id == owner.id)).all())


def delete_beyond(session: Session, player: str, kept: int, since: dt.datetime) -> int:
    """Delete the games of a player but for so many that were touched last; how many these were.

    Those stay, too, in which a bot was asked since then: what was asked is counted by what is there.
    """
    beyond = of_player(player).with_only_columns(PlayGame.id).offset(kept)
    counts = exists().where(PlayTurn.game_id == PlayGame.id, PlayTurn.created_at > since)
    query = select(PlayGame.id).where(PlayGame.id.in_(beyond), ~counts).limit(AT_ONCE)
    return _delete(session, session.scalars(query).all())


def _delete(session: Session, ids: Collection[int]) -> int:
    if ids:
        unseen = {"synchronize_session": False}
        session.execute(delete(PlayTurn).where(PlayTurn.game_id.in_(ids)), execution_options=unseen)
        session.execute(delete(PlayGame).where(PlayGame.id.in_(ids)), execution_options=unseen)
    return len(ids)


def lock_with_games(session: Session, ids: Collection[int]) -> tuple[Sequence[PlayTurn], Sequence[PlayGame]]:
    """The turns of these ids and their games as they are now, locked: the games first, as by who plays."""
    of = select(PlayTurn.game_id).where(PlayTurn.id.in_(ids))
    games = select(PlayGame).where(PlayGame.id.in_(of)).order_by(PlayGame.id)
    held = session.scalars(games.with_for_update(of=PlayGame).execution_options(populate_existing=True)).all()
    turns = select(PlayTurn).where(PlayTurn.id.in_(ids)).order_by(PlayTurn.id)
    return session.scalars(locked(turns, PlayTurn)).all(), held


def any_pending(session: Session) -> bool:
    """Whether a turn waits to be given out."""
    query = select(PlayTurn.id).where(PlayTurn.state == MatchState.PENDING).limit(1)
    return session.scalar(query) is not None


def pending_of(session: Session, needs: Collection[str]) -> dict[str, int]:
    """How many turns wait to be given out and need one of these, by player."""
    query = select(PlayTurn.player, func.count()).where(*_pending(needs)).group_by(PlayTurn.player)
    return {row[0]: row[1] for row in session.execute(query)}


def lock_pending(session: Session, player: str, needs: Collection[str], limit: int) -> Sequence[PlayTurn]:
    """The next turns of a player's games to be given out, locked."""
    query = select(PlayTurn).where(PlayTurn.player == player, *_pending(needs))
    return session.scalars(locked(query.order_by(PlayTurn.id).limit(limit), PlayTurn)).all()


def _pending(needs: Collection[str]) -> tuple[ColumnElement[bool], ...]:
    return PlayTurn.state == MatchState.PENDING, PlayTurn.needs.in_(needs)
