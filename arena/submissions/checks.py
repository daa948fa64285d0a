"""Submission checks: a version may play once it has passed one.

checking → passed or failed, or unchecked when it could not be done through no fault of the bot, or was called
off: by the owner, by the staff, or because the bot has a newer version. A verdict stands until the next one:
a version that has passed may play while it is checked anew, and also where nothing comes of that.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access.permissions import require_owner
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, NotFoundError
from arena.core.games import games_of
from arena.core.settings import Settings
from arena.core.terms import MatchState, VersionState
from arena.store import checks as store
from arena.store import events
from arena.store.models import BotVersion, Check, User
from arena.store.models.event_types import CheckCancelled, CheckRepeated
from arena.submissions import hosts, quotas
from arena.submissions.quotas import Quota
from workers.checks.contract import STEPS, CheckReport
from workers.programs.serving import CHECKS, needs


def begin(session: Session, version: BotVersion) -> Check:
    """Have a version checked (anew); what a worker still says of an earlier attempt will be refused.

    The last verdict is kept: it stands until there is another.
    """
    check = store.lock(session, version.id)
    if check is None:
        check = Check(version=version, attempt=0)
        session.add(check)
    check.created_at = utc_now()
    check.needs = needs([version.language])
    check.release(MatchState.PENDING)
    check.lost = check.refused = 0
    check.trouble = None
    version.state = VersionState.CHECKING
    session.flush()
    return check


def again(
    session: Session,
    actor: User,
    version: BotVersion,
    games: Sequence[str] = (),
    quota: Quota | None = None,
) -> Check:
    """Have a version checked once more; if games are named, in these besides those that it passed in.

    Raises:
        ForbiddenError: the bot is another user's.
        InvalidError: one of the games does not exist.
        ConflictError: a check waits or is being done.
        TooManyError: the team has had as many checks as it may for now.
    """
    require_owner(actor, version.bot)
    wanted = games_of([*passed_in(version), *games] if games else version.games)
    if version.state == VersionState.CHECKING:
        raise ConflictError(
            "version %(version)s of %(bot)r is being checked; wait for the verdict",
            bot=version.bot.name,
            version=version.number,
        )
    quotas.require_check(session, actor, quota)
    version.games = wanted
    check = begin(session, version)
    events.log(session, CheckRepeated(version.bot.name, version.number), actor=actor)
    return check


def extend(
    session: Session, actor: User, version: BotVersion, games: Sequence[str], quota: Quota | None
) -> Check:
    """Have a version checked in more games: besides those that it passed in, or is being checked in.

    Raises:
        ForbiddenError, InvalidError, TooManyError: as `again`.
    """
    if version.state != VersionState.CHECKING:
        return again(session, actor, version, games, quota)
    require_owner(actor, version.bot)
    quotas.require_check(session, actor, quota)
    version.games = games_of([*version.games, *games])
    return begin(session, version)


def cancel(session: Session, actor: User, version: BotVersion) -> Check:
    """Call a check off, whether it waits or is being done; a worker that does it hears of that.

    Raises:
        ForbiddenError: the bot is another user's.
        ConflictError: it has no check that is not over.
    """
    require_owner(actor, version.bot)
    check = store.lock(session, version.id)
    if check is None or check.state not in store.UNFINISHED:
        raise ConflictError(
            "version %(version)s of %(bot)r is not being checked",
            bot=version.bot.name,
            version=version.number,
        )
    _call_off(session, check, f"called off by {actor.name}", actor)
    return check


def supersede(session: Session, newer: BotVersion) -> None:
    """Call off what is not over of the checks of a bot's older versions, so that they hold no worker."""
    for check in store.lock_unfinished_of(session, newer.bot):
        if check.version.number < newer.number:
            _call_off(session, check, f"called off, for there is version {newer.number}")


def _call_off(session: Session, check: Check, why: str, actor: User | None = None) -> None:
    version = check.version
    check.release(MatchState.CANCELLED)
    check.trouble = why
    fall_back(version)
    events.log(session, CheckCancelled(version.bot.name, version.number, why), actor=actor)
    session.flush()


def fall_back(version: BotVersion) -> None:
    """Nothing came of a check: the last verdict stands, with its games; without one nothing is known."""
    report = _last_report(version)
    if report is None:
        version.state = VersionState.UNCHECKED
    elif report.passed:
        version.state = VersionState.PASSED
        version.games = list(dict.fromkeys(step.game for step in report.steps if step.game is not None))
    else:
        version.state = VersionState.FAILED


def passed_in(version: BotVersion) -> list[str]:
    """The games in which a version passed by its last verdict, all or those before the first fault."""
    if version.state == VersionState.PASSED:
        return list(version.games)
    report = _last_report(version)
    done = {(step.step, step.game) for step in report.steps if step.passed} if report else set()
    return [game for game in version.games if all((step, game) in done for step in STEPS)]


def require_playable(version: BotVersion, game: str) -> None:
    """Make sure that a version may play a game.

    Raises:
        ConflictError: it has not passed its check there, or was checked in other games only.
    """
    if game in passed_in(version):
        return
    if version.state == VersionState.PASSED:
        raise ConflictError(
            "version %(version)s of %(bot)r was checked in %(games)s only, not in %(game)s; "
            "have it checked with `arena bot recheck %(bot)s --game %(game)s`",
            bot=version.bot.name,
            version=version.number,
            games=", ".join(version.games),
            game=game,
        )
    if version.state == VersionState.CHECKING:
        raise ConflictError(
            "version %(version)s of %(bot)r is still being checked; wait until it has passed",
            bot=version.bot.name,
            version=version.number,
        )
    if version.state == VersionState.FAILED:
        raise ConflictError(
            "version %(version)s of %(bot)r failed its check; see `arena bot verdict %(bot)s` for the reason",
            bot=version.bot.name,
            version=version.number,
        )
    raise ConflictError(
        "version %(version)s of %(bot)r is unchecked, through no fault of its own; have it checked again",
        bot=version.bot.name,
        version=version.number,
    )


def report_of(version: BotVersion) -> CheckReport | None:
    """What came of the last check; None while it is not done."""
    return None if version.state == VersionState.CHECKING else _last_report(version)


def _last_report(version: BotVersion) -> CheckReport | None:
    told = version.check.report if version.check else None
    return CheckReport.model_validate(told) if told is not None else None


def code_of(version: BotVersion) -> str | None:
    """The code of the fault that a version failed by; None where it did not fail."""
    report = report_of(version)
    return report.code if report else None


def get(version: BotVersion) -> Check:
    """The last check of a version.

    Raises:
        NotFoundError: it never had one.
    """
    if version.check is None:
        raise NotFoundError(
            "version %(version)s of %(bot)r is from before there were checks",
            bot=version.bot.name,
            version=version.number,
        )
    return version.check


def waiting_for(session: Session, settings: Settings, check: Check) -> str | None:
    """What a check waits for, where no worker host can do it now."""
    served = check.state != MatchState.PENDING or check.needs in hosts.served(session, settings, CHECKS)
    return None if served else hosts.lacking(CHECKS, check.needs)
