"""Bots, their versions, and the checks of these."""

from __future__ import annotations

from arena.core.terms import MatchState
from arena.schemas.bots import BotOut, CheckOut, VersionOut
from arena.store.models import Bot, BotVersion, Check, User
from arena.submissions import checks
from arena.web.answers.copying import copied


def version_of(version: BotVersion) -> VersionOut:
    """The version without its files."""
    return copied(VersionOut, version, bot=version.bot.name, version=version.number)


def bot_of(bot: Bot, newest: BotVersion | None) -> BotOut:
    """The bot with its newest version."""
    return copied(BotOut, bot, owner=bot.owner.name, newest=version_of(newest) if newest else None)


def check_of(check: Check, viewer: User | None, waiting: str | None) -> CheckOut:
    """The check as `viewer` may see it."""
    version = check.version
    theirs = viewer is not None and version.bot.is_open_to(viewer)
    report = checks.report_of(version)
    staff = viewer is not None and viewer.is_staff
    shown = report.model_copy(update={"host": ""}) if report and not staff else report
    return CheckOut(
        bot=version.bot.name,
        version=version.number,
        state=version.state,
        waiting=waiting if check.state == MatchState.PENDING else None,
        trouble=check.trouble if theirs else None,
        code=report.code if report else None,
        steps=list(report.steps) if report else [],
        recorded_at=check.recorded_at if report else None,
        report=shown if theirs else None,
    )
