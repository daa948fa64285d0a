"""`arena up`, `down`, `status`, `logs`, `doctor`: the arena on this machine."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.server.reachable import fingerprint_of, print_reachable
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.folders import data_folder
from arena.cli.shared.options import AsJson, Data
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.folder import DataFolder
from arena.core.words import say, say_many
from arena.supervisor.defaults import (
    ALL_ADDRESSES,
    DEFAULT_HOST,
    DEFAULT_HTTPS_PORT,
    DEFAULT_PORT,
    default_workers,
)

if TYPE_CHECKING:
    from arena.core.running import ArenaState

Host = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="The address to listen on; 0.0.0.0 lets others in [default: 127.0.0.1, with --https 0.0.0.0].",
    ),
]
Https = Annotated[
    bool, typer.Option("--https", help="Let others in by https, with a certificate made for this machine.")
]
HttpsPort = Annotated[
    int, typer.Option(metavar="PORT", min=1, max=65535, help="The port of https, with --https.")
]
Port = Annotated[
    int, typer.Option(metavar="PORT", min=1, max=65535, help="The port of the API and the pages.")
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Match workers [default: the cores but one, at least 1]."),
]


def up(
    *,
    host: Host = None,
    port: Port = DEFAULT_PORT,
    https: Https = False,
    https_port: HttpsPort = DEFAULT_HTTPS_PORT,
    workers: Workers = None,
    data: Data = None,
    foreground: Annotated[bool, typer.Option("--foreground", help="Stay, and stop on Ctrl-C.")] = False,
    as_json: AsJson = False,
) -> None:
    """Start the arena here and return when it is healthy.

    With ARENA_BROKER_URL or ARENA_DATABASE_URL set, those are used instead of the embedded ones.
    """
    folder = data_folder(data)
    count = default_workers() if workers is None else workers
    host = host or (ALL_ADDRESSES if https else DEFAULT_HOST)
    secured = https_port if https else None
    if not count:
        note(say("there are no workers: nothing will be played until one comes"))
    if foreground:
        from arena.supervisor.arena import run
        from arena.supervisor.launch import check_startable
        from arena.supervisor.plans import plan_setup

        check_startable(folder, host, port, secured)
        setup = plan_setup(folder, host, port, count, https_port=secured)
        note(say("starting on {root}; stop with Ctrl-C", root=folder.root))
        run(setup, say=note)
        return
    state = start_showing_progress(folder, host, port, count, secured)
    if as_json:
        print_json(state_json(state, folder))
        return
    print_line(
        say_many(
            "The arena is up at {url} with {number} worker.",
            "The arena is up at {url} with {number} workers.",
            count,
            url=state.url,
        )
    )
    print_reachable(state, folder)
    print_line(say("Data in {root}; {folder}.", root=folder.root, folder=_where_the_token_is(folder)))
    print_line(say("Look with `arena status` and `arena logs`, stop with `arena down`."))


def _where_the_token_is(folder: DataFolder) -> str:
    if folder.admin_token.exists():
        return say("the admin's token in {admin_token}", admin_token=folder.admin_token)
    return say("this database had its admin already, whose token is where it was first made")


def start_showing_progress(
    folder: DataFolder, host: str, port: int, workers: int, https_port: int | None = None
) -> ArenaState:
    """Start an arena with a line on standard error that tells how far it is."""
    from rich.status import Status

    from arena.cli.shared.output import console
    from arena.supervisor.launch import start

    with Status(say("starting the arena"), console=console(stderr=True)) as line:
        return start(
            folder,
            host,
            port,
            workers,
            lambda text: line.update(say("starting the arena: {it}", it=text)),
            https_port=https_port,
        )


def down(data: Data = None, as_json: AsJson = False) -> None:
    """Stop the arena here; nothing of it is left running. Matches in play are played again next time."""
    from arena.supervisor.launch import stop

    folder = DataFolder.at(data)
    stop(folder)
    if as_json:
        print_json({"data": str(folder.root), "stopped": True})
    else:
        print_line(say("The arena on {root} is stopped.", root=folder.root))


def status(data: Data = None, as_json: AsJson = False) -> None:
    """Say what runs here, what stands still or ended, and why; exit code 1 unless all is well."""
    from arena.supervisor.launch import ailments, is_healthy, running_state

    folder = DataFolder.at(data)
    state = running_state(folder)
    troubles = ailments(state)
    healthy = not troubles and is_healthy(state.url)
    if as_json:
        print_json(state_json(state, folder) | {"healthy": healthy, "troubles": troubles})
    else:
        _print_status(state, folder, healthy=healthy)
    if not healthy:
        raise CliError(
            "; ".join(troubles.values()) or say("the arena is not healthy ({phase})", phase=state.phase)
        )


def _print_status(state: ArenaState, folder: DataFolder, *, healthy: bool) -> None:
    print_line(
        say(
            "{url} is {what} ({phase}), data in {root}",
            url=state.url,
            what=say("healthy") if healthy else say("not healthy"),
            phase=state.phase,
            root=folder.root,
        )
    )
    if state.addresses:
        print_line(say("Others reach it at {addresses}", addresses=say(" or ").join(state.addresses)))
    columns = ("process", ">pid", "state", ">restarts", ">for", "last end")
    print_table(
        columns,
        [
            (
                child["name"],
                child["pid"],
                child["state"],
                child["restarts"],
                _span(child["seconds"]),
                child["last_exit"],
            )
            for child in _children_json(state)
        ],
    )


def state_json(state: ArenaState, folder: DataFolder) -> dict[str, Any]:
    """What runs, with the keys that docs/cli.md describes."""
    return {
        "url": state.url,
        "addresses": state.addresses,
        "ca_sha256": fingerprint_of(state, folder),
        "data": str(folder.root),
        "admin_token_file": str(folder.admin_token),
        "phase": state.phase,
        "pid": state.pid,
        "seconds": round(max(0.0, time.time() - state.started), 1),
        "children": _children_json(state),
    }


def _children_json(state: ArenaState) -> list[dict[str, Any]]:
    return [
        {
            "name": child.name,
            "pid": child.pid,
            "state": child.state,
            "restarts": child.restarts,
            "seconds": round(max(0.0, time.time() - child.since), 1),
            "last_exit": child.last_exit,
        }
        for child in state.children
    ]


def _span(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def logs(
    name: Annotated[
        str | None, typer.Argument(help="Whose log, such as api or worker-1 [default: all].")
    ] = None,
    follow: Annotated[bool, typer.Option("-f", "--follow", help="Go on until Ctrl-C.")] = False,
    lines: Annotated[
        int, typer.Option("-n", "--lines", metavar="N", min=0, help="How many lines of each.")
    ] = 20,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Print the ends of the logs."""
    from arena.supervisor.logs import tail

    if follow and as_json:
        raise UsageError(say("--json prints one document and cannot follow"))
    folder = DataFolder.at(data)
    if not folder.logs.is_dir():
        raise CliError(
            say(
                "there are no logs in {root}; no arena was started there (--data names another)",
                root=folder.root,
            )
        )
    paths = {path.stem: path for path in sorted(folder.logs.glob("*.log"))}
    if name is not None and name not in paths:
        known = ", ".join(paths) or say("none yet")
        raise UsageError(
            say(
                "there is no log {name!r} in {logs}; there are: {known}",
                name=name,
                logs=folder.logs,
                known=known,
            )
        )
    chosen = {name: paths[name]} if name else paths
    tails = {key: tail(path, lines) for key, path in chosen.items()}
    if as_json:
        print_json({"logs": tails})
        return
    for key, texts in tails.items():
        for text in texts:
            _print_log_line(key if name is None else None, text)
    if follow:
        _follow(chosen, named=name is not None)


def _print_log_line(key: str | None, text: str) -> None:
    from arena.supervisor.logs import readable

    print_line(f"{key:<12} {readable(text)}" if key else readable(text))


def _follow(paths: dict[str, Any], *, named: bool) -> None:
    from arena.supervisor.logs import follow

    sys.stdout.flush()
    try:
        for key, text in follow(paths, lambda: True):
            _print_log_line(None if named else key, text)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return


def doctor(port: Port = DEFAULT_PORT, data: Data = None, as_json: AsJson = False) -> None:
    """Check whether an arena can run here; exit code 1 where something stands in its way."""
    from arena.supervisor.doctor import examine

    findings = examine(data_folder(data), port)
    if as_json:
        print_json(
            {"ok": all(f.verdict != "fail" for f in findings), "checks": [f._asdict() for f in findings]}
        )
    else:
        for finding in findings:
            remedy = f"; {finding.remedy}" if finding.remedy else ""
            print_line(f"{finding.verdict:<5} {finding.check}: {finding.found}{remedy}")
    failed = [finding.check for finding in findings if finding.verdict == "fail"]
    if failed:
        raise CliError(say("an arena cannot run here: {failed}", failed=", ".join(failed)))
