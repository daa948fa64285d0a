"""A bot checked on this machine, exactly as an arena would."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.core.errors import InvalidError
from arena.core.games import games_of
from arena.core.words import say
from arena.local.build import build_cache_in
from arena.local.errors import InputError, LocalError
from arena.local.submission import Submission
from workers.checks.contract import CheckReport, CheckSpec, StepReport
from workers.checks.runner import check_bot
from workers.core.contract import BotRef
from workers.core.errors import WorkerError
from workers.core.scratch import scratch_folder
from workers.sandbox.levels import ByTrust, find_confinement


def check_here(
    submission: Submission, games: Sequence[str], *, unsafe: bool, told: Callable[[StepReport], None]
) -> CheckReport:
    """The verdict, in `games` or in those that the bot names; `unsafe` runs it without a sandbox.

    Raises:
        InputError: there is no such game.
        LocalError: the bot could not be checked.
    """
    try:
        wanted = tuple(games_of(games or submission.source.manifest.games or []))
    except InvalidError as error:
        raise InputError(str(error)) from None
    confinement = find_confinement("none") if unsafe else ByTrust()
    store, build_cache = build_cache_in(scratch_folder(), confinement)
    bot = BotRef(name=submission.name, archive=store.put(submission.archive))
    try:
        spec = CheckSpec(check="here", bot=bot, games=wanted)
        return check_bot(spec, build_cache, confinement=confinement, told=told)
    except WorkerError as error:
        raise LocalError(say("the bot could not be checked: {error}", error=error)) from None
