"""`arena worker`: the worker hosts, what they do, and having one finish before it is switched off."""

from __future__ import annotations

import datetime as dt
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson, Ca, Url
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.terms import USUAL_REPEAT_SHARE
from arena.schemas.staff import Enrolled, HostOut, RepeatsOut, WorkerKeyOut, WorkOut
from workers.host.serving import REPEATS, REVIEWS

if TYPE_CHECKING:
    from arena.client.http import ArenaClient

app = typer.Typer(no_args_is_help=True)

Host = Annotated[str, typer.Argument(help="The host's name, as `arena worker list` shows it.")]


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
    print_line(f"{found.name} is {found.state}")
    columns = ("Work", ">Attempt", "Process", ">Core", "Since")
    print_table(columns, map(_piece, found.in_hand))
    if found.repeats.total:
        _print_repeats(found.repeats)


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
    ask_first(f"The host {host} is not listed any more.", yes=yes)
    with connect_with_token() as client:
        gone = client.forget_worker(host)
    print_json(gone) if as_json else print_line(f"{gone.name} is forgotten")


Share = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="Of the matches of a laboratory PC so many are played again on trusted hosts."
    ),
]


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
        f"On the new host, as root if systemd is to run it:\n\n    arena worker join {made.code} --url URL\n"
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
        raise UsageError(f"the key in {folder} cannot be used ({error}); see ARENA_KEY_DIR") from error
    done = [f"{enrolled.host} is enrolled, with the keys in {folder}"]
    if enrolled.settings:
        done.append(f"{folder / ENVIRONMENT} has {', '.join(sorted(enrolled.settings))}")
    _install(folder, slots if service else 0, done, [] if service else lacking(folder), as_json=as_json)


def _enrol(client: ArenaClient, code: str, host: str, key: str) -> Enrolled:
    """What the arena answers; the key is nobody's where its answer gets lost."""
    from arena.client.errors import ForeignError, SilentError

    try:
        return client.enrol_worker(code, host, key)
    except (SilentError, ForeignError) as error:  # the latter by a proxy
        raise CliError(
            f"{error}: if `arena worker keys` lists {host}, have it revoked (`arena worker revoke {host}`),"
            " and join with a new code"
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
            print_line(f"done: {step}")
        for step in missing:
            print_line(f"missing: {step}")
    if missing and slots != 0 and os.geteuid() == 0:
        raise CliError("the workers do not run yet; see what is missing")


@app.command()
def keys(as_json: AsJson = False) -> None:
    """List the keys by which hosts are believed, and those that were revoked."""
    with connect_with_token() as client:
        found = list(client.worker_keys())
    if as_json:
        print_json({"keys": found})
        return
    print_table(("Host", "Key", "Enrolled", "Revoked", ">Repeated"), map(_key, found))


@app.command()
def trust(host: Host, as_json: AsJson = False) -> None:
    """Trust a host: its matches are not played again elsewhere."""
    with connect_with_token() as client:
        _tell_trust(client.trust_worker(host, None), as_json=as_json)


@app.command()
def distrust(host: Host, *, share: Share = USUAL_REPEAT_SHARE, as_json: AsJson = False) -> None:
    """Have a share of a host's matches played again on trusted hosts, and what differs shown."""
    with connect_with_token() as client:
        _tell_trust(client.trust_worker(host, share), as_json=as_json)


@app.command()
def purge(
    host: Host,
    *,
    reason: Annotated[str, typer.Option(help="Why, for those who ask later.")],
    since: Annotated[
        dt.datetime | None,
        typer.Option(help="What it has reported since then [default: since it was enrolled last]."),
    ] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Believe a host no more, and have all matches played again that it has played.

    What was broken off goes on when it is done again. A result stands where later rounds were paired by it,
    or a bot of the match has left or may be gone.
    """
    ask_first(f"Nothing that {host} reports is believed any more, and its matches are played again.", yes=yes)
    moment = since.astimezone() if since else None
    again = withdrawn = calls = 0
    with connect_with_token() as client:
        while True:
            done = client.purge_worker(host, reason, moment)
            moment, calls = done.since, calls + 1
            again, withdrawn = again + done.again, withdrawn + done.withdrawn
            if calls > 1 and not (done.left or done.again or done.withdrawn):  # what came meanwhile, too
                break
    if as_json:
        print_json(done.model_copy(update={"again": again, "withdrawn": withdrawn}))
        return
    print_line(f"{done.host} is not believed any more; {again} of its matches are played again")
    if done.kept_total:
        print_line(f"{done.kept_total} cannot be played again: their results stand")
        print_table(("Tournament", ">Match"), [(each.tournament, each.number) for each in done.kept])


@app.command()
def revoke(host: Host, yes: Yes = False, as_json: AsJson = False) -> None:
    """Believe a host no more; what it has in hand is played again when its lease has run out."""
    ask_first(f"Nothing that {host} reports is believed any more.", yes=yes)
    with connect_with_token() as client:
        gone = client.revoke_worker(host)
    print_json(gone) if as_json else print_line(f"{gone.host} is not believed any more")


def _tell(changed: HostOut, *, as_json: bool) -> None:
    print_json(changed) if as_json else print_line(f"{changed.name} is {changed.state}")


def _print_repeats(repeats: RepeatsOut) -> None:
    print_line(
        f"\nPlayed again on trusted hosts: {repeats.total}, of which {repeats.same} went the same way,"
        f" {repeats.different} another ({_p(repeats.p_different)}), {repeats.late} only here ended by a bot's"
        f" being late ({_p(repeats.p_late)}); {repeats.undecided} decide nothing, {repeats.given_up} were"
        f" given up, {repeats.open} are open"
    )
    rows = [
        (each.tournament, each.match, each.outcome, each.ply, "" if each.counts else "played again since")
        for each in repeats.telling
    ]
    print_table(("Tournament", ">Match", "Went", ">Ply", ""), rows)


def _p(value: float | None) -> str:
    return "nothing to compare with" if value is None else f"p {value:.2g} against the other hosts"


def _trust(host: HostOut) -> str:
    """How far a host is trusted, and how many of its matches went another way elsewhere."""
    if host.repeat_share is None and not host.repeats.total:
        return "trusted" if host.enrolled else ""
    share = "revoked" if not host.enrolled else "trusted"
    if host.repeat_share is not None:
        share = f"{host.repeat_share:.0%} repeated"
    against = {"differ": host.repeats.different, "late": host.repeats.late}
    return ", ".join([share, *(f"{count} {word}" for word, count in against.items() if count)])


def _tell_trust(key: WorkerKeyOut, *, as_json: bool) -> None:
    if as_json:
        print_json(key)
    elif key.repeat_share is None:
        print_line(f"{key.host} is trusted")
    else:
        print_line(f"{key.repeat_share:.0%} of the matches of {key.host} are played again on trusted hosts")


def _key(key: WorkerKeyOut) -> tuple[object, ...]:
    revoked = key.revoked_at.astimezone().strftime("%d %b %H:%M") if key.revoked_at else ""
    share = "" if key.repeat_share is None else f"{key.repeat_share:.0%}"
    return key.host, key.key[:16], key.enrolled_at.astimezone().strftime("%d %b %H:%M"), revoked, share


def _row(host: HostOut) -> tuple[object, ...]:
    versions = ", ".join(host.versions) + (" (not the server's)" if host.outdated else "")
    speed = "" if host.speed is None else f"{host.speed:.2f}"
    heard = host.seen_at.astimezone().strftime("%d %b %H:%M:%S")
    told = host.name, host.state, len(host.in_hand), len(host.processes), speed
    return *told, versions, _trust(host), ", ".join(_languages(host)), heard


def _languages(host: HostOut) -> list[str]:
    """What a host can run; of environments also which one, where that is not the arena's."""
    return [word if word in host.strange else word.partition("@")[0] for word in sorted(host.languages)]


def _piece(work: WorkOut) -> tuple[object, ...]:
    since = work.since.astimezone().strftime("%H:%M:%S") if work.since else ""
    return named(work), work.attempt, work.process or "", work.core, since


def named(work: WorkOut) -> str:
    """What a piece of work is, in words."""
    if work.kind == REPEATS:
        return f"match {work.match} of {work.tournament}, again"
    if work.kind == REVIEWS:
        of = f"match {work.match} of {work.tournament}" if work.tournament else "a private game"
        return f"analysis of {of}"
    if work.match is not None:
        return f"match {work.match} of {work.tournament}: {' against '.join(work.bots)}"
    if work.version is not None:
        return f"check of {work.bots[0]}, version {work.version}"
    if work.scrimmage is not None:
        return f"game {work.game} of scrimmage {work.scrimmage}, by {work.bots[0]}"
    return f"experiment {work.experiment}, games from {work.start}"
