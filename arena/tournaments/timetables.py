"""The timetable of a tournament: what the arena does by itself, and when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from itertools import pairwise

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, Term, Worded
from arena.core.kept_words import kept
from arena.core.terms import Act, TournamentState
from arena.store import events, freezes
from arena.store import timetables as store
from arena.store import tournaments as tournament_store
from arena.store.models import Moment, Tournament, User
from arena.store.models.freeze_events import TimetableDone, TimetableFailed, TimetableSet
from arena.tournaments import freezing, lifecycle

ENTERING = lifecycle.ENTERING
PLAYING = lifecycle.PLAYING
FURTHEST = dt.datetime(2200, 1, 1, tzinfo=dt.UTC)
"""No moment is planned for later; some beyond could not be kept."""
MAY_BE_SET: dict[Act, tuple[TournamentState, ...]] = {
    Act.OPEN: (TournamentState.DRAFT,),
    Act.CLOSE: ENTERING,
    Act.START: ENTERING,
    Act.FREEZE: (*ENTERING, *PLAYING),
    Act.REVEAL: tuple(TournamentState),
}
"""The states in which each act can still be planned."""


class PassedError(InvalidError):
    """A moment that was given has passed; give a later one."""


class OrderError(InvalidError):
    """The moments are in another order than the acts; change them as the message says."""


def change(
    session: Session,
    actor: User,
    tournament: Tournament,
    wanted: Mapping[Act, dt.datetime | None],
    *,
    own: bool,
) -> None:
    """Set all moments of a timetable, and whether teams will see their own matches in a freeze.

    What has passed stays as it is; what could not be done may be planned anew.

    Raises:
        InvalidError: a moment has passed or is too far away, or they are in another order than the acts.
        ConflictError: what is to be changed has been done, or cannot be done any more.
    """
    tournament, now = tournament_store.lock(session, tournament.id), utc_now()
    there = store.of_tournament(session, tournament)
    for act in Act:
        moment, at = there.get(act), wanted.get(act)
        if at != (moment.at if moment else None):
            _check_change(tournament, act, moment, at, now)
    _check_order(tournament, wanted)
    for act in Act:
        moment, at = there.get(act), wanted.get(act)
        if at == (moment.at if moment else None):
            continue
        if moment is not None:
            session.delete(moment)
            session.flush()
        if at is not None:
            session.add(Moment(tournament_id=tournament.id, act=act, at=at))
    session.flush()
    if tournament.frozen_at is None:
        moment = store.of_act(session, tournament.id, Act.FREEZE)
        tournament.freezes_at = moment.at if moment is not None and moment.done_at is None else None
        tournament.shows_own = own
    tournament.revision += 1
    freezes.announce_change(session, tournament)
    told = {str(act): at.isoformat() for act in Act if (at := wanted.get(act)) is not None}
    events.log(session, TimetableSet(told), actor=actor, tournament=tournament)
    session.flush()


def _check_change(
    tournament: Tournament, act: Act, moment: Moment | None, at: dt.datetime | None, now: dt.datetime
) -> None:
    if moment is not None and _is_past(moment, now):
        raise ConflictError(
            "the moment to %(act)s %(tournament)r has passed, at %(moment)s; leave it as it is",
            act=act,
            tournament=tournament.name,
            moment=moment.at.isoformat(),
        )
    if at is None:
        return
    if at <= now:
        raise PassedError(
            "the moment to %(act)s %(tournament)r has passed: %(moment)s",
            act=act,
            tournament=tournament.name,
            moment=at.isoformat(),
        )
    if at >= FURTHEST:
        raise InvalidError(
            "the moment to %(act)s %(tournament)r is too far away: %(moment)s",
            act=act,
            tournament=tournament.name,
            moment=at.isoformat(),
        )
    frozen = act == Act.FREEZE and tournament.frozen_at is not None
    if frozen or tournament.state not in MAY_BE_SET[act]:
        how = Term("frozen already") if frozen else tournament.state
        raise ConflictError(
            "%(tournament)r is %(how)s; there is nothing to %(act)s any more",
            tournament=tournament.name,
            how=how,
            act=act,
        )


def is_past(session: Session, tournament: Tournament, act: Act) -> bool:
    """Whether the moment of an act stays as it is: it has passed, and nothing went wrong."""
    moment = store.of_act(session, tournament.id, act)
    return moment is not None and _is_past(moment, utc_now())


def failed(session: Session, tournament: Tournament) -> list[Act]:
    """The acts that could not be done at their moments, and still can be."""
    return [
        act
        for act, moment in store.of_tournament(session, tournament).items()
        if moment.trouble is not None and _is_open(tournament, act)
    ]


def to_come(tournament: Tournament, moments: Collection[Moment]) -> list[Moment]:
    """Those of a tournament's moments at which everybody is told that something is still to happen.

    What could not be done is told as if it were still to come, for why it was not is for the staff; what was
    done by hand, or can never be done any more, is not.
    """
    there = {each.act: each for each in moments if each.done_at is None or each.trouble is not None}
    return [each for act, each in there.items() if _is_ahead(tournament, act, there.keys())]


def _is_ahead(tournament: Tournament, act: Act, planned: Collection[Act]) -> bool:
    """Whether an act may still happen; behind a freeze nothing but its end is told."""
    if tournament.frozen_at is not None:
        return act is Act.REVEAL
    first = Act.FREEZE if act is Act.REVEAL else act
    return first in planned and tournament.state in MAY_BE_SET[first]


def _is_open(tournament: Tournament, act: Act) -> bool:
    """Whether an act can still be done, at another moment or by hand."""
    if act in {Act.FREEZE, Act.REVEAL} and (tournament.frozen_at is None) != (act == Act.FREEZE):
        return False
    return tournament.state in MAY_BE_SET[act]


def _is_past(moment: Moment, now: dt.datetime) -> bool:
    return moment.trouble is None and moment.at <= now


def _check_order(tournament: Tournament, wanted: Mapping[Act, dt.datetime | None]) -> None:
    planned = [(act, at) for act in Act if (at := wanted.get(act)) is not None]
    for (earlier, before), (later, after) in pairwise(planned):
        if before >= after:
            raise OrderError(
                "the moment to %(later)s has to come after that to %(earlier)s",
                later=later,
                earlier=earlier,
            )
    if wanted.get(Act.REVEAL) and not wanted.get(Act.FREEZE) and tournament.frozen_at is None:
        raise OrderError("there is a moment to reveal and none to freeze; set both")


@events.one_act
def keep(session: Session, tournament_id: int, act: Act, now: dt.datetime) -> None:
    """Do what the timetable of a tournament says, unless it is done.

    Raises:
        ArenaError: it cannot be done.
        ChangedError: it cannot be done now; try again.
    """
    moment = store.of_act(session, tournament_id, act)
    if moment is None or moment.done_at is not None or moment.at > now:
        return
    tournament = tournament_store.lock(session, tournament_id)
    _ACTS[act](session, tournament)
    moment = store.of_act(session, tournament_id, act)
    if moment is None or moment.done_at is not None:
        return
    moment.done_at = utc_now()
    tournament.revision += 1
    freezes.announce_change(session, tournament)
    events.log(session, TimetableDone(act), tournament=tournament)
    session.flush()


def fail(session: Session, tournament_id: int, act: Act, why: Worded) -> None:
    """Write down why something could not be done; it is not tried again unless it is planned anew."""
    tournament = tournament_store.lock(session, tournament_id)
    moment = store.of_act(session, tournament_id, act)
    if moment is None or moment.done_at is not None:
        return
    moment.done_at, moment.trouble = utc_now(), str(why)
    if act == Act.FREEZE:
        tournament.freezes_at = None
    tournament.revision += 1
    freezes.announce_change(session, tournament)
    events.log(session, TimetableFailed(act, str(why), kept(why)), tournament=tournament)
    session.flush()


def _open(session: Session, tournament: Tournament) -> None:
    lifecycle.open_(session, None, tournament)


def _close(session: Session, tournament: Tournament) -> None:
    """Nothing is to be done: `lifecycle.enter` looks at the clock, too."""
    del session
    lifecycle.require(tournament, ENTERING, "closed to entries")


def _start(session: Session, tournament: Tournament) -> None:
    lifecycle.start(session, None, tournament)


def _freeze(session: Session, tournament: Tournament) -> None:
    """It was when it was locked, if it could be."""
    del session
    if tournament.frozen_at is None:
        freezing.require_hideable(tournament)


def _reveal(session: Session, tournament: Tournament) -> None:
    if tournament.frozen_at is None:
        raise ConflictError(
            "%(tournament)r is not frozen: there is nothing to reveal", tournament=tournament.name
        )
    if tournament.state in freezes.HIDEABLE:
        raise ConflictError(
            "%(tournament)r is still being played, so nothing was revealed; set another moment, or "
            "reveal it yourself",
            tournament=tournament.name,
        )
    freezes.lift(session, tournament, actor=None)


_ACTS = {Act.OPEN: _open, Act.CLOSE: _close, Act.START: _start, Act.FREEZE: _freeze, Act.REVEAL: _reveal}
