"""`arena bot check`, `verdict` and `recheck`: is a bot fit to play? Here, and on an arena."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.connection import connect, connect_with_token
from arena.cli.failures import CliError, UsageError
from arena.cli.options import AsJson
from arena.cli.output import note, print_json, print_line

if TYPE_CHECKING:
    from arena.cli.submission import Submission
    from arena.client import ArenaClient
    from workers.check_contract import CheckReport, StepReport

Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game", metavar="GAME", help="A game to check it in; repeatable [default: those in its bot.toml]."
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
    from arena.cli.submission import read_submission

    report = _check_here(read_submission(path), games or [], unsafe=unsafe)
    told = at_home(report.model_dump(mode="json"), path)
    if as_json:
        print_json(told)
    else:
        _print_report(told)
    if not report.passed:
        raise typer.Exit(1)


def at_home(report: dict[str, Any], path: Path) -> dict[str, Any]:
    """A verdict whose command names the bot's files as they are called here."""
    return report | {"reproduce": report["reproduce"].replace("PATH", shlex.quote(str(path)))}


def _check_here(submission: Submission, games: list[str], *, unsafe: bool) -> CheckReport:
    from arena.checks import games_of
    from arena.cli.homebuilt import workshop_in
    from arena.errors import InvalidError
    from workers.check_contract import CheckSpec
    from workers.checks import check_bot
    from workers.contract import BotRef
    from workers.errors import WorkerError
    from workers.sandbox.levels import ByTrust, find_confinement

    try:
        wanted = tuple(games_of(games or submission.source.manifest.games or []))
    except InvalidError as error:
        raise UsageError(str(error)) from None
    confinement = find_confinement("none") if unsafe else ByTrust()
    with tempfile.TemporaryDirectory(prefix="arena-check-") as name:
        store, workshop = workshop_in(Path(name), confinement)
        bot = BotRef(name=submission.name, archive=store.put(submission.archive))
        try:
            spec = CheckSpec(check="here", bot=bot, games=wanted)
            return check_bot(spec, workshop, confinement=confinement, told=_tell)
        except WorkerError as error:
            raise CliError(f"the bot could not be checked: {error}") from None


def _tell(step: StepReport) -> None:
    where = f" in {step.game}" if step.game else ""
    note(f"{step.step.replace('_', ' ')}{where}: {'well' if step.passed else 'failed'} ({step.took_ms} ms)")


def verdict(
    bot: BotName,
    version: Version = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until there is one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what came of a version's check, with all the evidence for its owner."""
    with connect() as client:
        show_verdict(client, bot, version or _newest(client, bot), wait=wait, as_json=as_json)


def recheck(bot: BotName, version: Version = None, games: Games = None, as_json: AsJson = False) -> None:
    """Have a version checked once more, in other games if any are named."""
    with connect_with_token() as client:
        found = client.check_again(bot, version or _newest(client, bot), games or ())
    if as_json:
        print_json(found)
    else:
        print_line(f"{found['bot']} version {found['version']} is being checked once more")


def _newest(client: ArenaClient, bot: str) -> int:
    newest = client.bot(bot)["newest"]
    if newest is None:
        raise UsageError(f"the bot {bot} has no version yet")
    return int(newest["version"])


def show_verdict(
    client: ArenaClient, bot: str, version: int, *, wait: bool, as_json: bool, path: Path | None = None
) -> None:
    """Print the check of a version, whose files are at `path`; ends with status 1 when it failed."""
    found = client.await_check(bot, version) if wait else client.check(bot, version)
    if found["report"] and path:
        found["report"] = at_home(found["report"], path)
    if as_json:
        print_json(found)
    else:
        print_line(f"{found['bot']} version {found['version']}: {found['state']}")
        for key in ("waiting", "trouble"):
            if found[key]:
                print_line(found[key])
        if found["report"]:
            _print_report(found["report"])
        elif found["code"]:
            print_line(f"the fault: {found['code']}")
    if found["state"] == "failed":
        raise typer.Exit(1)


def _print_report(report: dict[str, Any]) -> None:
    """A verdict with its evidence."""
    for key in ("head", "tail"):
        if report["build"][key]:
            print_line(report["build"][key].rstrip())
    if report["passed"]:
        print_line(f"passed ({report['language']}: {report['toolchain']})")
        return
    where = next((step["game"] for step in report["steps"] if not step["passed"]), None)
    print_line(f"failed: {report['code']}{f' in {where}' if where else ''}: {report['detail']}")
    fault = report["forfeit"]
    if fault:
        print_line(f"  at ply {fault['ply']}")
        for key in ("request", "received", "expected"):
            print_line(f"  {key}: {fault[key]}")
    for key in ("head", "tail"):
        if report["stderr"][key]:
            print_line(f"stderr ({key}):\n{report['stderr'][key].rstrip()}")
    print_line(f"again: {report['reproduce']}")
