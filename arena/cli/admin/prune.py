"""`arena admin prune`: what is kept for a while only goes when it is old."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.failures import UsageError
from arena.cli.shared.folders import data_folder
from arena.cli.shared.options import AsJson, Data
from arena.cli.shared.output import print_json, print_line
from arena.core.clock import MAX_DAYS, utc_now
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.administration.pruning import Pruned


def prune(
    *,
    evidence: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS", min=0, max=MAX_DAYS, help="What bots wrote beside their moves in older games."
        ),
    ] = None,
    recordings: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS", min=0, max=MAX_DAYS, help="Games in columns of experiments that ended earlier."
        ),
    ] = None,
    logs: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=0, max=MAX_DAYS, help="Logs that were turned over earlier."),
    ] = None,
    tokens: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=0, max=MAX_DAYS, help="Tokens that ended or were revoked earlier."),
    ] = None,
    yes: Yes = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Remove what is older than so many days; results, moves, sums and standings stay."""
    from arena.administration.opening import opened, require_present
    from arena.administration.pruning import Limits
    from arena.administration.pruning import prune as remove

    given = {"evidence": evidence, "recordings": recordings, "logs": logs, "tokens": tokens}
    asked = {name: days for name, days in given.items() if days is not None}
    if not asked:
        raise UsageError(
            say("say what goes when it is how old: --evidence, --recordings, --logs or --tokens DAYS")
        )
    words = ", ".join(
        say("{name} of more than {days} ago", name=name, days=say_many("{number} day", "{number} days", days))
        for name, days in asked.items()
    )
    ask_first(say("For good: {words}.", words=words), yes=yes)
    limits = Limits(**{name: utc_now() - dt.timedelta(days=days) for name, days in asked.items()})
    with opened(data_folder(data)) as arena:
        require_present(arena)
        done = remove(arena, limits)
    if as_json:
        print_json(done._asdict())
        return
    _tell(done)


def _tell(done: Pruned) -> None:
    removed = say(
        "{recordings} of recordings, {logs} and {tokens} removed",
        recordings=say_many("{number} part", "{number} parts", done.recordings),
        logs=say_many("{number} log", "{number} logs", done.logs),
        tokens=say_many("{number} token", "{number} tokens", done.tokens),
    )
    print_line(
        say(
            "{evidence} cleared, {removed}.",
            evidence=say_many("{number} record", "{number} records", done.evidence),
            removed=removed,
        )
    )
