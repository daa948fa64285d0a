"""`arena worker`: the worker hosts, what they do, and having one finish before it is switched off."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson, Ca, Url
from arena.cli.shared.output import print_json, print_line, print_table
from arena.cli.staff.trusting import Host, Share, print_repeats, trust_of
from arena.cli.staff.trusting import register as register_trusting
from arena.core.terms import USUAL_REPEAT_SHARE
from arena.core.words import say
from arena.schemas.staff import Enrolled, HostOut, WorkOut
from workers.programs.serving import REPEATS, REVIEWS

if TYPE_CHECKING:
    from arena.client.http import ArenaClient

app = Commands()
register_trusting(app)


Within = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", min=0, help="After so long what it still has in hand is given to others."
    ),
]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the worker hosts: what each has in hand, runs and can do."""
    with connect_with_token() as client:
        found = list(client.workers())
    if as_json:
        print_json({"workers": found})
        return
    columns = (
        "Host",
        "State",
        ">In hand",
        ">Processes",
        ">Speed",
        "Arena",
        "Trust",
        "Languages",
        "Last seen",
    )
    print_table(columns, map(_row, found))


@app.command()
def show(host: Host, as_json: AsJson = False) -> None:
    """Show what a host has in hand, piece by piece."""
    with connect_with_token() as client:
        found = client.worker(host)
    if as_json:
        print_json(found)
        return
    print_line(say("{name} is {state}", name=found.name, state=found.state))
    columns = ("Work", ">Attempt", "Process", ">Core", "Since")
    print_table(columns, map(_piece, found.in_hand))
    if found.repeats.total:
        print_repeats(found.repeats)


@app.command()
def drain(host: Host, within: Within = None, as_json: AsJson = False) -> None:
    """Have a host finish what it has in hand and take nothing new, also when it is started anew."""
    with connect_with_token() as client:
        _tell(client.drain_worker(host, within), as_json=as_json)


@app.command()
def resume(host: Host, as_json: AsJson = False) -> None:
    """Have a host that drains take work again."""
    with connect_with_token() as client:
        _tell(client.resume_worker(host), as_json=as_json)


@app.command()
def forget(host: Host, yes: Yes = False, as_json: AsJson = False) -> None:
    """List a host no more that is gone; should it come back, it is a new one."""
    ask_first(say("The host {host} is not listed any more.", host=host), yes=yes)
    with connect_with_token() as client:
        gone = client.forget_worker(host)
    print_json(gone) if as_json else print_line(say("{name} is forgotten", name=gone.name))


@app.command()
def enrol(
    *,
    laboratory: Annotated[
        bool, typer.Option("--laboratory", help="The host is not trusted: it is a PC that others control.")
    ] = False,
    share: Share = USUAL_REPEAT_SHARE,
    as_json: AsJson = False,
) -> None:
    """Make a code with which one more host can join, once and within a day."""
    with connect_with_token() as client:
        made = client.make_worker_code(share if laboratory else None)
    if as_json:
        print_json(made)
        return
    print_line(
        say(
            "On the new host, as root if systemd is to run it:\n\n    arena worker join {code} --url URL\n",
            code=made.code,
        )
    )


Slots = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Matches at a time [default: as before, at first one a core but one]."
    ),
]


@app.command()
def join(
    code: Annotated[str, typer.Argument(help="The code that `arena worker enrol` has made.")],
    *,
    url: Url = None,
    ca: Ca = None,
    host: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How its processes name the host [default: this one's]."),
    ] = None,
    slots: Slots = None,
    service: Annotated[bool, typer.Option(help="As root, have systemd run the workers.")] = True,
    as_json: AsJson = False,
) -> None:
    """Make this machine a worker host: a new key is made and stays here; as root systemd runs its workers.

    What the arena tells its workers, such as the broker's address, is written beside the key.
    """
    from arena.client.credentials import find_credentials
    from arena.client.http import ArenaClient
    from arena.supervisor.joining import ENVIRONMENT, keep_told, lacking
    from workers.core.enrolment import OWN, write_arena_key
    from workers.core.settings import get_settings
    from workers.core.signing import changed_key

    folder = get_settings().key_dir
    known = find_credentials(url)
    try:
        with changed_key(folder / OWN) as own, ArenaClient(known.url, None, ca=ca or known.ca) as client:
            enrolled = _enrol(client, code, host or socket.gethostname(), own.public)
        write_arena_key(folder, enrolled.arena_key, enrolled.host)
        keep_told(folder, enrolled.settings, trusted=enrolled.trusted)
    except OSError as error:
        raise UsageError(
            say("the key in {folder} cannot be used ({error}); see ARENA_KEY_DIR", folder=folder, error=error)
        ) from error
    done = [say("{host} is enrolled, with the keys in {folder}", host=enrolled.host, folder=folder)]
    if enrolled.settings:
        done.append(
            say("{what} has {names}", what=folder / ENVIRONMENT, names=", ".join(sorted(enrolled.settings)))
        )
    _install(folder, slots if service else 0, done, [] if service else lacking(folder), as_json=as_json)


def _enrol(client: ArenaClient, code: str, host: str, key: str) -> Enrolled:
    """What the arena answers; the key is nobody's where its answer gets lost."""
    from arena.client.errors import ForeignError, SilentError

    try:
        return client.enrol_worker(code, host, key)
    except (SilentError, ForeignError) as error:  # the latter by a proxy
        raise CliError(
            say(
                "{error}: if `arena worker keys` lists {host}, have it revoked (`arena worker revoke "
                "{host}`), and join with a new code",
                error=error,
                host=host,
            )
        ) from error


@app.command()
def install(slots: Slots = None, as_json: AsJson = False) -> None:
    """As root, have systemd run the workers of this host, which has joined; also after an upgrade."""
    from workers.core.settings import get_settings

    _install(get_settings().key_dir, slots, [], [], as_json=as_json)


def _install(folder: Path, slots: int | None, done: list[str], missing: list[str], *, as_json: bool) -> None:
    """Have systemd run so many slots, if any, and say what was done before and here, and what is missing."""
    from arena.supervisor.joining import Installation

    if slots != 0:
        more, missing = Installation(folder, slots).run()
        done = [*done, *more]
    if as_json:
        print_json({"done": done, "missing": missing})
    else:
        for step in done:
            print_line(say("done: {step}", step=step))
        for step in missing:
            print_line(say("missing: {step}", step=step))
    if missing and slots != 0 and os.geteuid() == 0:
        raise CliError(say("the workers do not run yet; see what is missing"))


def _tell(changed: HostOut, *, as_json: bool) -> None:
    print_json(changed) if as_json else print_line(
        say("{name} is {state}", name=changed.name, state=changed.state)
    )


def _row(host: HostOut) -> tuple[object, ...]:
    versions = ", ".join(host.versions) + (say(" (not the server's)") if host.outdated else "")
    speed = "" if host.speed is None else f"{host.speed:.2f}"
    heard = host.seen_at.astimezone().strftime("%d %b %H:%M:%S")
    told = host.name, host.state, len(host.in_hand), len(host.processes), speed
    return *told, versions, trust_of(host), ", ".join(_languages(host)), heard


def _languages(host: HostOut) -> list[str]:
    """What a host can run; of environments also which one, where that is not the arena's."""
    return [word if word in host.strange else word.partition("@")[0] for word in sorted(host.languages)]


def _piece(work: WorkOut) -> tuple[object, ...]:
    since = work.since.astimezone().strftime("%H:%M:%S") if work.since else ""
    return named(work), work.attempt, work.process or "", work.core, since


def named(work: WorkOut) -> str:
    """What a piece of work is, in words."""
    if work.kind == REPEATS:
        return say("match {match} of {tournament}, again", match=work.match, tournament=work.tournament)
    if work.kind == REVIEWS:
        of = (
            say("match {match} of {tournament}", match=work.match, tournament=work.tournament)
            if work.tournament
            else say("a private game")
        )
        return say("analysis of {of}", of=of)
    if work.match is not None:
        return say(
            "match {match} of {tournament}: {bots}",
            match=work.match,
            tournament=work.tournament,
            bots=say(" against ").join(work.bots),
        )
    if work.version is not None:
        return say("check of {what}, version {version}", what=work.bots[0], version=work.version)
    if work.scrimmage is not None:
        return say(
            "game {game} of scrimmage {scrimmage}, by {what}",
            game=work.game,
            scrimmage=work.scrimmage,
            what=work.bots[0],
        )
    return _calculated(work)


def _calculated(work: WorkOut) -> str:
    """The same of what is calculated."""
    if work.training is not None:
        return say("training {training}, part {chunk}", training=work.training, chunk=work.chunk)
    if work.solve is not None:
        return say("solve {solve}, position {leaf}", solve=work.solve, leaf=work.leaf)
    return say("experiment {experiment}, games from {start}", experiment=work.experiment, start=work.start)
