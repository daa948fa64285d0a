"""How a tournament is graded, who gets what, and what the teams were told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError
from arena.core.terms import Leaving, TournamentState
from arena.results import views
from arena.schemas.grading import GradeOut, SchemeIn, told_of
from arena.store import events
from arena.store import grading as store
from arena.store import tournaments as tournament_store
from arena.store.models import Entry, Grade, GradeRelease, Grading, Tournament, User
from arena.store.models.grading_events import GradesReleased, GradingSet
from arena.theory.standings import grading as theory
from arena.theory.standings.grading import Band, Graded, Performance, Scheme, Threshold
from arena.theory.standings.table import Standing
from arena.theory.standings.teams import team_places

MAX_RELEASES = 100
"""A tournament's grades are told anew so often at most."""


@dataclass(frozen=True)
class Team:
    """A team of a tournament: its best placed bot, and what that made."""

    name: str
    bot: str
    made: Performance


@dataclass(frozen=True)
class OwnGrade:
    """What a team was told last of a tournament, and the points that it was told before, if others."""

    release: GradeRelease
    grade: GradeOut
    before: Decimal | None


def teams(session: Session, tournament: Tournament, scheme: SchemeIn | None) -> list[Team]:
    """The teams of a tournament as it stands, best first, without the bots of the staff and of the scheme.

    It takes the same queries however much was played.
    """
    entries = {entry.id: entry for entry in tournament_store.entries(session, tournament)}
    named = {each.bot for each in scheme.thresholds} if scheme else set()
    measuring = {
        entry.id: entry.version.bot.name
        for entry in entries.values()
        if entry.version.bot.name in named or permissions.is_staff(entry.version.bot.owner)
    }
    made: dict[int, dict[str, tuple[int, int]]] = {}
    for met in tournament_store.encounters(session, tournament):
        if met.other_id in measuring:
            made.setdefault(met.entry_id, {})[measuring[met.other_id]] = (met.games, met.half_points)
    lines = [line for line in views.leaderboard(session, tournament) if line.entry not in measuring]
    places = team_places([(line.owner, line.rank) for line in lines])
    return [
        _team(lines[each.line], entries[lines[each.line].entry], each.place, len(places), made)
        for each in places
    ]


def _team(
    line: Standing, entry: Entry, place: int, count: int, made: Mapping[int, Mapping[str, tuple[int, int]]]
) -> Team:
    expelled = entry.left_as == Leaving.DISQUALIFIED
    against = made.get(entry.id, {})
    return Team(line.owner, line.bot, Performance(place, count, line.games, against, expelled))


def grades(session: Session, tournament: Tournament, scheme: SchemeIn) -> list[GradeOut]:
    """Who gets what by a scheme, as a tournament stands, best first."""
    by = _scheme(scheme)
    return [_told(each, theory.grade(by, each.made)) for each in teams(session, tournament, scheme)]


def reference_bots(session: Session, tournament: Tournament) -> list[str]:
    """The entered bots of the staff, by which others are measured."""
    entries = tournament_store.entries(session, tournament)
    return sorted(each.version.bot.name for each in entries if permissions.is_staff(each.version.bot.owner))


def scheme_of(session: Session, tournament: Tournament) -> SchemeIn | None:
    """How a tournament is graded, if that was set."""
    grading = store.scheme_of(session, tournament)
    return SchemeIn.model_validate(grading.scheme) if grading else None


def set_scheme(session: Session, actor: User, tournament: Tournament, scheme: SchemeIn) -> None:
    """Set how a tournament is graded. What teams were told stays as it is until grades are released anew.

    Raises:
        ForbiddenError: the actor does not run the tournament.
        InvalidError: a threshold names a bot that is not entered.
    """
    permissions.require_runner(actor, tournament)
    tournament = tournament_store.lock(session, tournament.id)
    check(session, tournament, scheme)
    kept = scheme.model_dump(mode="json")
    grading = store.scheme_of(session, tournament)
    if grading is not None and grading.scheme == kept:
        return
    if grading is None:
        grading = Grading(tournament_id=tournament.id)
        session.add(grading)
    grading.scheme, grading.set_at = kept, utc_now()
    last = store.releases(session, tournament, 1)
    told = GradingSet(kept, last[0].release.number if last else 0)
    events.log(session, told, actor=actor, tournament=tournament)
    session.flush()


def check(session: Session, tournament: Tournament, scheme: SchemeIn) -> None:
    """Refuse a scheme that measures by who does not take part.

    Raises:
        InvalidError: a threshold names a bot that is not entered.
    """
    known = {entry.version.bot.name for entry in tournament_store.entries(session, tournament)}
    if missing := sorted({each.bot for each in scheme.thresholds} - known):
        raise InvalidError(
            "%(bot)r is not entered in %(name)r, so nobody can be measured by it; enter it first, or leave "
            "its threshold out",
            bot=missing[0],
            name=tournament.name,
        )


def release(session: Session, actor: User, tournament: Tournament, reason: str | None) -> GradeRelease:
    """Tell every team its grade, as it is now; what was told before stays to be read.

    Raises:
        ForbiddenError: the actor does not run the tournament.
        ConflictError: it is not over, frozen, or not graded; or its teams have been told just this.
        InvalidError: it was told before, and nobody says why it is told anew.
    """
    permissions.require_runner(actor, tournament)
    tournament = tournament_store.lock(session, tournament.id)
    if tournament.frozen_at is not None:
        raise ConflictError(
            "%(name)r is frozen; reveal its results before you tell the grades", name=tournament.name
        )
    if tournament.state is not TournamentState.FINISHED:
        raise ConflictError(
            "%(name)r is %(state)s; grades are told when it is finished",
            name=tournament.name,
            state=tournament.state,
        )
    scheme = scheme_of(session, tournament)
    if scheme is None:
        raise ConflictError("it was not set how %(name)r is graded; do that first", name=tournament.name)
    made = grades(session, tournament, scheme)
    last = store.releases(session, tournament, 1)
    number = last[0].release.number + 1 if last else 1
    _check_anew(session, tournament, [each.release for each in last], made, reason)
    told = GradeRelease(
        tournament_id=tournament.id,
        number=number,
        at=utc_now(),
        user_id=actor.id,
        reason=reason or "",
        scheme=scheme.model_dump(mode="json"),
    )
    session.add(told)
    session.flush()
    ids = store.owners(session, [each.team for each in made])
    session.add_all(Grade(release_id=told.id, owner_id=ids[each.team], told=told_of(each)) for each in made)
    events.log(session, GradesReleased(number, len(made), told.reason), actor=actor, tournament=tournament)
    session.flush()
    return told


def _check_anew(
    session: Session,
    tournament: Tournament,
    last: Sequence[GradeRelease],
    made: Sequence[GradeOut],
    reason: str | None,
) -> None:
    if not last:
        return
    if not changed(session, last[0], made):
        raise ConflictError("the teams of %(name)r have been told just these grades", name=tournament.name)
    if reason is None:
        raise InvalidError(
            "the teams have seen other grades: say why they are told anew, which they will read"
        )
    if last[0].number >= MAX_RELEASES:
        raise ConflictError(
            "the grades of %(name)r were told %(times)s times; no more is kept",
            name=tournament.name,
            times=MAX_RELEASES,
        )


def changed(session: Session, told: GradeRelease, made: Sequence[GradeOut]) -> list[str]:
    """The teams that were told something else than what they have now, or nothing, or have nothing now."""
    before = {each.told["team"]: each.told for each in store.told(session, told)}
    now = {each.team: told_of(each) for each in made}
    return sorted(team for team in before.keys() | now.keys() if before.get(team) != now.get(team))


def own_grades(session: Session, account_id: int) -> list[OwnGrade]:
    """What a team was told last of each tournament, the last first."""
    found: dict[int, list[Grade]] = {}
    for each in store.of_owner(session, account_id):
        found.setdefault(each.release.tournament_id, []).append(each)
    return [_own(rows) for rows in found.values()]


def _own(rows: Sequence[Grade]) -> OwnGrade:
    told = [GradeOut.model_validate(each.told) for each in rows]
    others = [each.points for each in told[1:] if each.points != told[0].points]
    return OwnGrade(rows[0].release, told[0], others[0] if others else None)


def _scheme(scheme: SchemeIn) -> Scheme:
    return Scheme(
        base=scheme.base,
        thresholds=tuple(Threshold(each.bot, each.share, each.points) for each in scheme.thresholds),
        bands=tuple(Band(each.up_to, each.unit, each.points) for each in scheme.bands),
        most=scheme.most,
    )


def _told(team: Team, graded: Graded) -> GradeOut:
    return GradeOut.model_validate(
        {
            "team": team.name,
            "bot": team.bot,
            "place": team.made.place,
            "teams": team.made.teams,
            "games": team.made.games,
            "disqualified": team.made.disqualified,
            "points": graded.points,
            "base": graded.base,
            "limited": graded.limited,
            "band": graded.band._asdict() if graded.band else None,
            "passed": [
                {
                    "bot": each.threshold.bot,
                    "share": each.threshold.share,
                    "games": each.games,
                    "made": each.half_points / 2,
                    "met": each.met,
                    "points": each.points,
                }
                for each in graded.passed
            ],
        }
    )
