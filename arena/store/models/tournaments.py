"""Tournaments, their entries, and what these have made."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import Leaving, TournamentState
from arena.store.models.base import Base
from arena.store.models.people import User
from arena.store.models.submissions import Bot, BotVersion
from arena.store.types import EnumText
from arena.theory.pairing.contract import Kind


class Tournament(Base):
    """A tournament and everything it was planned with.

    Each cycle has `openings` openings of its own; `opening_moves` are those of all cycles, in their order.
    `options` are those of the format (fields of its class in `arena.theory.pairing`), `standings_order` the
    names of the tie-breaks, none for the usual ones. Rounds 1 to `rounds_paired` have their matches and byes;
    `all_paired` says that no other round comes.

    `matches_total`, `matches_finished` and `matches_cancelled` are counted in the transactions that change
    its matches. `revision` grows with every transaction that changes what is shown of it, but for how many of
    its matches are pending, published, running and parked. With `reuse` reusable bots may be kept between
    matches.

    From what its bots are told the `seed` cannot be worked out if it `conceals_seed`, as all do but old ones.

    All its games are analysed in idle time where somebody who runs it, the user `analysed_for`, has asked for
    that.

    The user `owner_id`, who made it, runs it, and so do the organisers of the class `class_id`. On pages and
    in exports its `heading` stands over it: the `title`, in any language, or the name where it has none.

    While it is frozen, since `frozen_at` and after the event `freeze_event`, the public is shown what
    `arena.store.freezes` has kept of it; with `shows_own` its teams see their own matches. It is to be frozen
    at `freezes_at`. Of the reveal so many steps have been shown as `reveal_step` says.
    """

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    title: Mapped[str | None] = mapped_column(String(100))
    state: Mapped[TournamentState] = mapped_column(EnumText(TournamentState, 10), index=True)
    format: Mapped[str] = mapped_column(String(30))
    options: Mapped[dict[str, Any]]
    standings_order: Mapped[list[str]]
    game: Mapped[str] = mapped_column(String(40))
    params: Mapped[dict[str, Any]]
    game_version: Mapped[int]
    time: Mapped[dict[str, Any]]
    limits: Mapped[dict[str, Any]]
    openings: Mapped[int]
    opening_plies: Mapped[int]
    opening_moves: Mapped[list[list[str]]] = mapped_column(JSON)
    seed: Mapped[int] = mapped_column(BigInteger)
    conceals_seed: Mapped[bool] = mapped_column(default=True)
    owner_id: Mapped[int | None] = mapped_column(index=True)
    class_id: Mapped[int | None] = mapped_column(index=True)
    reuse: Mapped[bool] = mapped_column(default=False)
    analysed_for: Mapped[int | None]
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]
    revision: Mapped[int] = mapped_column(default=0)
    rounds_paired: Mapped[int] = mapped_column(default=0)
    all_paired: Mapped[bool] = mapped_column(default=False)
    matches_total: Mapped[int] = mapped_column(default=0)
    matches_finished: Mapped[int] = mapped_column(default=0)
    matches_cancelled: Mapped[int] = mapped_column(default=0)
    freezes_at: Mapped[dt.datetime | None]
    frozen_at: Mapped[dt.datetime | None]
    freeze_event: Mapped[int | None]
    shows_own: Mapped[bool] = mapped_column(default=False)
    reveal_step: Mapped[int] = mapped_column(default=0)

    entries: Mapped[list[Entry]] = relationship(order_by="Entry.number", back_populates="tournament")

    @property
    def heading(self) -> str:
        """What stands over it."""
        return self.title or self.name

    @property
    def told_state(self) -> TournamentState:
        """Its state as those are told it who do not run it: while it is frozen it does not end."""
        return TournamentState.RUNNING if self.frozen_at is not None else self.state


class Entry(Base):
    """A bot version in a tournament, with its running totals.

    The totals change in the same transaction that records a result. `score_own` is the sum of the entry's
    own scores (discs) in the games that were `played`, `half_points` its points times two, `bye_half_points`
    those of them that byes gave. `answers`, `extensions` and `slowest_ns` are what it used, `forfeits_by` has
    how often it forfeited by each kind of fault.
    What it made against others was last changed at the tournament's `revision` of that number, or before.
    It takes part from round `joined_round` on, and from `left_round` on no more; none of its games counts
    when it is `annulled`.
    """

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        UniqueConstraint("tournament_id", "bot_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"), index=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("bot_versions.id"))
    joined_round: Mapped[int] = mapped_column(default=1)
    left_round: Mapped[int | None]
    left_as: Mapped[Leaving | None] = mapped_column(EnumText(Leaving, 20))
    annulled: Mapped[bool] = mapped_column(default=False)
    games: Mapped[int] = mapped_column(default=0)
    played: Mapped[int] = mapped_column(default=0)
    half_points: Mapped[int] = mapped_column(default=0)
    wins: Mapped[int] = mapped_column(default=0)
    draws: Mapped[int] = mapped_column(default=0)
    losses: Mapped[int] = mapped_column(default=0)
    forfeits: Mapped[int] = mapped_column(default=0)
    score_own: Mapped[int] = mapped_column(BigInteger, default=0)
    score_other: Mapped[int] = mapped_column(BigInteger, default=0)
    wall_ns: Mapped[int] = mapped_column(BigInteger, default=0)
    bye_half_points: Mapped[int] = mapped_column(default=0)
    answers: Mapped[int] = mapped_column(BigInteger, default=0)
    extensions: Mapped[int] = mapped_column(default=0)
    slowest_ns: Mapped[int] = mapped_column(BigInteger, default=0)
    forfeits_by: Mapped[dict[str, Any]] = mapped_column(default=dict)
    revision: Mapped[int] = mapped_column(default=0)

    tournament: Mapped[Tournament] = relationship(back_populates="entries")
    version: Mapped[BotVersion] = relationship(lazy="joined")


class PendingEntry(Base):
    """A bot that the user `user_id` wants entered as soon as its newest version has passed its check."""

    __tablename__ = "pending_entries"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created_at: Mapped[dt.datetime]

    tournament: Mapped[Tournament] = relationship()
    bot: Mapped[Bot] = relationship()
    user: Mapped[User] = relationship()


class Encounter(Base):
    """The running totals of one ordered pair of entries: what `entry_id` made against `other_id`.

    `first_wins`, `first_draws` and `first_losses` count the games in which `entry_id` sat in seat 0, without
    those that both forfeited.
    """

    __tablename__ = "encounters"

    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), primary_key=True)
    games: Mapped[int] = mapped_column(default=0)
    half_points: Mapped[int] = mapped_column(default=0)
    first_wins: Mapped[int] = mapped_column(default=0)
    first_draws: Mapped[int] = mapped_column(default=0)
    first_losses: Mapped[int] = mapped_column(default=0)


class OpeningTotal(Base):
    """The running totals of one opening: how the games with it ended for the first seat.

    As in encounters those are counted that were played, without those that both forfeited; only tournaments
    with openings have these rows.
    """

    __tablename__ = "opening_totals"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    first_wins: Mapped[int] = mapped_column(default=0)
    first_draws: Mapped[int] = mapped_column(default=0)
    first_losses: Mapped[int] = mapped_column(default=0)


class Bye(Base):
    """What an entry got in a round in which it met nobody."""

    __tablename__ = "byes"
    __table_args__ = (UniqueConstraint("tournament_id", "round", "entry_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    round: Mapped[int]
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    half_points: Mapped[int]
    kind: Mapped[Kind] = mapped_column(EnumText(Kind, 20))
    phase: Mapped[str] = mapped_column(String(40), default="")
