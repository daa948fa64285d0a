"""How far worker hosts are trusted: their keys, matches played again elsewhere, and believing one no more."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.terms import USUAL_REPEAT_SHARE
from arena.core.words import say, say_many
from arena.schemas.staff import HostOut, RepeatsOut, WorkerKeyOut

Host = Annotated[str, typer.Argument(help="The host's name, as `arena worker list` shows it.")]
Share = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="Of the matches of a laboratory PC so many are played again on trusted hosts."
    ),
]


def keys(as_json: AsJson = False) -> None:
    """List the keys by which hosts are believed, and those that were revoked."""
    with connect_with_token() as client:
        found = list(client.worker_keys())
    if as_json:
        print_json({"keys": found})
        return
    print_table(("Host", "Key", "Enrolled", "Revoked", ">Repeated"), map(_key, found))


def trust(host: Host, as_json: AsJson = False) -> None:
    """Trust a host: its matches are not played again elsewhere."""
    with connect_with_token() as client:
        _tell_trust(client.trust_worker(host, None), as_json=as_json)


def distrust(host: Host, *, share: Share = USUAL_REPEAT_SHARE, as_json: AsJson = False) -> None:
    """Have a share of a host's matches played again on trusted hosts, and what differs shown."""
    with connect_with_token() as client:
        _tell_trust(client.trust_worker(host, share), as_json=as_json)


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
    ask_first(
        say("Nothing that {host} reports is believed any more, and its matches are played again.", host=host),
        yes=yes,
    )
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
    print_line(
        say(
            "{host} is not believed any more; played again of it: {again}",
            host=done.host,
            again=say_many("{number} match", "{number} matches", again),
        )
    )
    if done.kept_total:
        print_line(
            say_many(
                "{number} cannot be played again: its result stands",
                "{number} cannot be played again: their results stand",
                done.kept_total,
            )
        )
        print_table(("Tournament", ">Match"), [(each.tournament, each.number) for each in done.kept])


def revoke(host: Host, yes: Yes = False, as_json: AsJson = False) -> None:
    """Believe a host no more; what it has in hand is played again when its lease has run out."""
    ask_first(say("Nothing that {host} reports is believed any more.", host=host), yes=yes)
    with connect_with_token() as client:
        gone = client.revoke_worker(host)
    print_json(gone) if as_json else print_line(say("{host} is not believed any more", host=gone.host))


def print_repeats(repeats: RepeatsOut) -> None:
    """What came of playing a host's matches again."""
    print_line(
        say(
            "\nPlayed again on trusted hosts: {total}, of which {same} went the same way, {different} "
            "another ({p_different}), {late} only here ended by a bot's being late ({p_late}); "
            "{undecided} decide nothing, {given_up} were given up, {open} are open",
            total=repeats.total,
            same=repeats.same,
            different=repeats.different,
            p_different=_p(repeats.p_different),
            late=repeats.late,
            p_late=_p(repeats.p_late),
            undecided=repeats.undecided,
            given_up=repeats.given_up,
            open=repeats.open,
        )
    )
    rows = [
        (
            each.tournament,
            each.match,
            each.outcome,
            each.ply,
            "" if each.counts else say("played again since"),
        )
        for each in repeats.telling
    ]
    print_table(("Tournament", ">Match", "Went", ">Ply", ""), rows)


def _p(value: float | None) -> str:
    return (
        say("nothing to compare with")
        if value is None
        else say("p {value:.2g} against the other hosts", value=value)
    )


def trust_of(host: HostOut) -> str:
    """How far a host is trusted, and how many of its matches went another way elsewhere."""
    if host.repeat_share is None and not host.repeats.total:
        return say("trusted") if host.enrolled else ""
    share = say("revoked") if not host.enrolled else say("trusted")
    if host.repeat_share is not None:
        share = say("{repeat_share:.0%} repeated", repeat_share=host.repeat_share)
    against = {say("differ"): host.repeats.different, say("late"): host.repeats.late}
    return ", ".join([share, *(f"{count} {word}" for word, count in against.items() if count)])


def _tell_trust(key: WorkerKeyOut, *, as_json: bool) -> None:
    if as_json:
        print_json(key)
    elif key.repeat_share is None:
        print_line(say("{host} is trusted", host=key.host))
    else:
        print_line(
            say(
                "{repeat_share:.0%} of the matches of {host} are played again on trusted hosts",
                repeat_share=key.repeat_share,
                host=key.host,
            )
        )


def _key(key: WorkerKeyOut) -> tuple[object, ...]:
    revoked = key.revoked_at.astimezone().strftime("%d %b %H:%M") if key.revoked_at else ""
    share = "" if key.repeat_share is None else f"{key.repeat_share:.0%}"
    return key.host, key.key[:16], key.enrolled_at.astimezone().strftime("%d %b %H:%M"), revoked, share


def register(app: typer.Typer) -> None:
    """Add these commands to `arena worker`."""
    for command in (keys, trust, distrust, purge, revoke):
        app.command()(command)
