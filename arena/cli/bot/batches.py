"""`arena bot submit --each`: the bots of a whole class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.output import note, print_json, print_table
from arena.core.terms import Handed, VersionState
from arena.core.words import say

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.batches import Batch, BatchLine
    from arena.schemas.bots import CheckOut

HANDED_IN = (Handed.NEW_BOT, Handed.NEW_VERSION, Handed.SAME)


@dataclass(frozen=True)
class Each:
    """The options of a whole class."""

    each: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="A folder or a .zip with a file, a folder or a .zip for each team of a class.",
        ),
    ] = None
    class_name: Annotated[
        str | None, typer.Option("--class", help="With --each: whose teams [default: the one that you run].")
    ] = None
    team: Annotated[
        list[str] | None,
        typer.Option(metavar="LABEL=TEAM", help="With --each: whose a part is; LABEL= leaves it out."),
    ] = None
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --each: only say what would be done.")] = (
        False
    )


def submit_each(wanted: Each, games: Sequence[str], *, wait: bool, as_json: bool) -> None:
    """Hand in the bots of a class; the exit code is 1 where something was not, or did not pass.

    Raises:
        UsageError: the class cannot be told, or --team is written otherwise.
        CliError: not all was handed in, or has passed.
    """
    from arena.local.submission import read_batch

    data = read_batch(wanted.each or Path())
    teams = dict(map(_assigned, wanted.team or ()))
    with connect_with_token() as client:
        name = wanted.class_name or _only_class(client)
        made = client.submit_class(name, data, dry_run=wanted.dry_run, teams=teams, games=games)
        if not as_json:
            _tell(made)
        checks = _await(client, made) if wait and not wanted.dry_run else []
    if as_json:
        print_json({**made.model_dump(mode="json"), "checks": checks} if checks else made)
    elif checks:
        print_table(
            ("bot", ">version", "state", "code"),
            [(each.bot, each.version, each.state, say(each.code or "")) for each in checks],
        )
    _judge(made, checks)


def _assigned(text: str) -> tuple[str, str]:
    label, equals, team = text.rpartition("=")
    if not equals or not label:
        raise UsageError(
            say("{it!r} says of no part whose it is: write LABEL=TEAM, or LABEL= to leave it out", it=text)
        )
    return label, team


def _only_class(client: ArenaClient) -> str:
    names = [each.name for each in client.classes()]
    if len(names) != 1:
        raise UsageError(
            say("say with --class whose bots these are") + (f": {', '.join(names)}" if names else "")
        )
    return names[0]


def _tell(made: Batch) -> None:
    rows = [(line.label, line.team, _bot(line), line.language, line.state) for line in made.items]
    print_table(("sent", "team", "bot", "language", "state"), rows)
    for line in made.items:
        if line.problem:
            note(f"{line.label}: {line.problem}")
    if made.without:
        note(say("of these teams nothing was sent: {without}", without=", ".join(made.without)))


def _bot(line: BatchLine) -> str | None:
    return f"{line.bot} v{line.version}" if line.bot and line.version else line.bot


def _await(client: ArenaClient, made: Batch) -> list[CheckOut]:
    return [
        client.await_check(line.bot, line.version)
        for line in made.items
        if line.bot and line.version and line.state in HANDED_IN
    ]


def _judge(made: Batch, checks: Sequence[CheckOut]) -> None:
    left = [line.label for line in made.items if line.state not in (*HANDED_IN, Handed.LEFT_OUT)]
    if left:
        raise CliError(
            say(
                "{what}: {left}",
                what=say("would not be handed in") if made.dry_run else say("not handed in"),
                left=", ".join(left),
            )
        )
    failed = [check.bot for check in checks if check.state != VersionState.PASSED]
    if failed:
        raise CliError(say("not passed: {failed}", failed=", ".join(failed)))
