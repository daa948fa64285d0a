"""Bots, their versions, and the checks of these."""

from __future__ import annotations

from collections.abc import Sequence

from arena.access import permissions
from arena.core.terms import MatchState
from arena.schemas.bots import BotOut, CheckOut, EnvironmentOut, VersionOut
from arena.store.models import Bot, BotVersion, Check, User
from arena.submissions import checks
from arena.submissions.choosing import Choice
from arena.web.answers.copying import copied
from workers.checks.contract import StepReport
from workers.programs.runtimes.languages import plain


def version_of(version: BotVersion) -> VersionOut:
    """The version without its files."""
    named = {"bot": version.bot.name, "version": version.number, "language": plain(version.language)}
    return copied(VersionOut, version, **named)


def environment_of(choice: Choice) -> EnvironmentOut:
    """What a name means, and what else is offered under it."""
    return copied(
        EnvironmentOut,
        choice.chosen,
        packages=choice.chosen.told,
        hosts=choice.hosts,
        others={digest: told for digest, (told, _) in choice.others.items()},
    )


def bot_of(bot: Bot, newest: BotVersion | None) -> BotOut:
    """The bot with its newest version."""
    return copied(BotOut, bot, owner=bot.owner.name, newest=version_of(newest) if newest else None)


def check_of(
    check: Check, viewer: User | None, waiting: str | None, done: Sequence[StepReport] = ()
) -> CheckOut:
    """The check as `viewer` may see it; of one that is not over, `done` are the parts that are."""
    version = check.version
    theirs = viewer is not None and permissions.opens(viewer, version.bot)
    report = checks.report_of(version)
    staff = permissions.manages(viewer, version.bot.owner)
    shown = report.model_copy(update={"host": ""}) if report and not staff else report
    return CheckOut(
        bot=version.bot.name,
        version=version.number,
        state=version.state,
        waiting=waiting if check.state == MatchState.PENDING else None,
        trouble=check.trouble if theirs else None,
        code=report.code if report else None,
        steps=list(report.steps if report else done),
        recorded_at=check.recorded_at if report else None,
        report=shown if theirs else None,
    )
