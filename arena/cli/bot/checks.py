"""`arena bot check`, `verdict`, `recheck` and `cancel`: is a bot fit to play? Here, and on an arena."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.advice import advice_of
from arena.cli.shared.completing import games
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line
from arena.core.commands import path_word
from arena.core.sayings import said
from arena.core.terms import VersionState
from arena.core.words import say

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from workers.checks.contract import CheckReport, StepReport

Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        metavar="GAME",
        autocompletion=games,
        help="A game to check it in; repeatable [default: those in its bot.toml].",
    ),
]
BotName = Annotated[str, typer.Argument(help="The bot's name.")]
Version = Annotated[
    int | None, typer.Option("--version", metavar="N", min=1, help="The version [default: the newest].")
]


def check(
    path: Annotated[Path, typer.Argument(help="A source file, a program, a .zip, or a folder.")],
    games: Games = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Run it without a sandbox; for a bot of your own only.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a bot here exactly as an arena would: build, handshake, positions, matches. Needs no server."""
    from arena.local.errors import LocalError
    from arena.local.submission import read_submission
    from workers.sandbox.confinement import CONFINES

    if not CONFINES:
        raise LocalError(
            say(
                "bots are built and checked on Linux only: hand it in, and the arena checks it; here "
                "`arena match run PATH @random --unsafe` plays it"
            )
        )
    from arena.local.checking import check_here

    report = at_home(check_here(read_submission(path), games or [], unsafe=unsafe, told=tell), path)
    if as_json:
        print_json(report)
    else:
        print_report(report)
    if not report.passed:
        raise typer.Exit(1)


def at_home(report: CheckReport, path: Path) -> CheckReport:
    """A verdict whose command names the bot's files as they are called here."""
    return report.model_copy(update={"reproduce": report.reproduce.replace("PATH", path_word(path))})


def tell(step: StepReport) -> None:
    """A line for a part of a check that is done."""
    where = say(" in {game}", game=step.game) if step.game else ""
    went = say("failed") if not step.passed else say("well, but cut short") if step.cut else say("well")
    note(
        say(
            "{replace}{where}: {went} ({took_ms} ms)",
            replace=say(step.step.replace("_", " ")),
            where=where,
            went=went,
            took_ms=step.took_ms,
        )
    )


def verdict(
    bot: BotName,
    version: Version = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until there is one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what came of a version's check, with all the evidence for its owner."""
    with connect() as client:
        show_verdict(client, bot, version or newest_version(client, bot), wait=wait, as_json=as_json)


def recheck(bot: BotName, version: Version = None, games: Games = None, as_json: AsJson = False) -> None:
    """Have a version checked once more, in other games if any are named."""
    with connect_with_token() as client:
        checked = client.check_again(bot, version or newest_version(client, bot), games or ())
    if as_json:
        print_json(checked)
    else:
        print_line(
            say(
                "{bot} version {version} is being checked once more", bot=checked.bot, version=checked.version
            )
        )


def cancel(bot: BotName, version: Version = None, as_json: AsJson = False) -> None:
    """Call off a version's check that waits or is being done."""
    with connect_with_token() as client:
        checked = client.cancel_check(bot, version or newest_version(client, bot))
    if as_json:
        print_json(checked)
    else:
        print_line(
            say(
                "the check of {bot} version {version} is called off", bot=checked.bot, version=checked.version
            )
        )


def newest_version(client: ArenaClient, bot: str) -> int:
    """The number of a bot's newest version.

    Raises:
        UsageError: it has none.
    """
    newest = client.bot(bot).newest
    if newest is None:
        raise UsageError(say("the bot {bot} has no version yet", bot=bot))
    return newest.version


def show_verdict(
    client: ArenaClient, bot: str, version: int, *, wait: bool, as_json: bool, path: Path | None = None
) -> None:
    """Print the check of a version, whose files are at `path`; ends with status 1 when it failed."""
    checked = client.await_check(bot, version) if wait else client.check(bot, version)
    if checked.report and path:
        checked = checked.model_copy(update={"report": at_home(checked.report, path)})
    if as_json:
        print_json(checked)
    else:
        print_line(
            say(
                "{bot} version {version}: {state}",
                bot=checked.bot,
                version=checked.version,
                state=checked.state,
            )
        )
        for reason in filter(None, (checked.waiting, checked.trouble)):
            print_line(said(reason))
        if checked.report:
            print_report(checked.report)
        elif checked.code:
            print_line(say("the fault: {code}", code=say(checked.code)))
    if checked.state == VersionState.FAILED:
        raise typer.Exit(1)


def print_report(report: CheckReport) -> None:
    """Print a verdict with its evidence."""
    for text in filter(None, (report.build.head, report.build.tail)):
        print_line(text.rstrip())
    if report.passed:
        print_line(
            say("passed ({language}: {toolchain})", language=report.language, toolchain=report.toolchain)
        )
        cut = dict.fromkeys(step.game for step in report.steps if step.cut and step.game)
        if cut:
            print_line(
                say("its matches in {cut} were cut short, for its answers took too long", cut=", ".join(cut))
            )
        return
    where = next((step.game for step in report.steps if not step.passed), None)
    print_line(
        say(
            "failed: {code}{what}: {detail}",
            code=say(report.code or ""),
            what=say(" in {where}", where=where) if where else "",
            detail=said(report.detail),
        )
    )
    fault = report.forfeit
    if fault:
        print_line(say("  at ply {what}", what=fault.ply + 1))
        print_line(say("  request: {request}", request=fault.request))
        print_line(say("  received: {received}", received=fault.received))
        print_line(say("  expected: {expected}", expected=fault.expected))
    for key in ("head", "tail"):
        if text := getattr(report.stderr, key):
            print_line(say("stderr ({key}):\n{rstrip}", key=key, rstrip=text.rstrip()))
    if fault:
        stderr = report.stderr.head + report.stderr.tail
        advice = advice_of(
            fault.code, fault.detail, stderr, clock=fault.clock_ns, cpu=fault.cpu_ns, received=fault.received
        )
        if advice:
            print_line(say("hint: {advice}", advice=advice))
    print_line(say("again: {reproduce}", reproduce=report.reproduce))
