"""Submission checks: a version may play once it has passed one.

checking → passed or failed, or unchecked when it could not be done through no fault of the bot.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena import hosts
from arena.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.moments import utc_now
from arena.settings import Settings
from arena.store import checks as store
from arena.store import events
from arena.store.models import BotVersion, Check, MatchState, Role, User, VersionState
from workers.check_contract import STEPS, CheckReport
from workers.errors import ArchiveError
from workers.runtimes.manifest import check_games
from workers.serving import needs

DEFAULT_GAME = "reversed_reversi"
MAX_GAMES = 20


def games_of(asked: Sequence[str]) -> list[str]:
    """The games that a bot is checked in, each once: those asked for, else the arena's usual one.

    Raises:
        InvalidError: one of them does not exist, or they are too many.
    """
    games = list(dict.fromkeys(asked)) or [DEFAULT_GAME]
    if len(games) > MAX_GAMES:
        raise InvalidError(f"a bot is checked in at most {MAX_GAMES} games, not in {len(games)}")
    try:
        check_games(games)
    except ArchiveError as error:
        raise InvalidError(str(error)) from None
    return games


def begin(session: Session, version: BotVersion) -> Check:
    """Have a version checked (anew); what a worker still says of an earlier attempt will be refused."""
    check = store.lock(session, version.id)
    if check is None:
        check = Check(version=version, attempt=0, created_at=utc_now())
        session.add(check)
    check.needs = needs([version.language])
    check.state = MatchState.PENDING
    check.lost = check.refused = 0
    check.token = check.lease_until = check.host = None
    check.trouble = check.report = check.recorded_at = None
    version.state = VersionState.CHECKING
    session.flush()
    return check


def again(session: Session, actor: User, version: BotVersion, games: Sequence[str] = ()) -> Check:
    """Have a version checked once more; if games are named, in these besides those that it passed in.

    Raises:
        ForbiddenError: the bot is another user's.
        InvalidError: one of the games does not exist.
        ConflictError: a check waits or is being done.
    """
    if actor.role != Role.ADMIN and version.bot.owner_id != actor.id:
        raise ForbiddenError(f"the bot {version.bot.name!r} belongs to {version.bot.owner.name!r}")
    wanted = games_of([*passed_in(version), *games] if games else version.games)
    if version.state == VersionState.CHECKING:
        raise ConflictError(f"{_named(version)} is being checked; wait for the verdict")
    version.games = wanted
    check = begin(session, version)
    events.log(session, "check.repeated", actor=actor, bot=version.bot.name, version=version.number)
    return check


def passed_in(version: BotVersion) -> list[str]:
    """The games in which a version passed its last check, all of them or those before the first fault."""
    if version.state == VersionState.PASSED:
        return list(version.games)
    report = report_of(version) if version.state == VersionState.FAILED else None
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
            f"{_named(version)} was checked in {', '.join(version.games)} only, not in {game}; "
            f"have it checked with `arena bot recheck {version.bot.name} --game {game}`"
        )
    what = {
        VersionState.CHECKING: "is still being checked; wait until it has passed",
        VersionState.FAILED: f"failed its check; see `arena bot verdict {version.bot.name}` for the reason",
        VersionState.UNCHECKED: "could not be checked, through no fault of its own; have it checked again",
    }
    raise ConflictError(f"{_named(version)} {what[version.state]}")


def report_of(version: BotVersion) -> CheckReport | None:
    """What came of the last check; None while it is not done."""
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
        raise NotFoundError(f"{_named(version)} is from before there were checks")
    return version.check


def waiting_for(session: Session, settings: Settings, check: Check) -> str | None:
    """What a check waits for, where no worker host can do it now."""
    served = check.state != MatchState.PENDING or check.needs in hosts.served(session, settings)
    return None if served else hosts.lacking(check.needs)


def _named(version: BotVersion) -> str:
    return f"version {version.number} of {version.bot.name!r}"
