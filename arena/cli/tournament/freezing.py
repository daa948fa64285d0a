"""`arena tournament timetable`, `freeze` and `reveal`."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.failures import UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.terms import Act
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.timetables import RevealOut, TimetableOut

NEVER = "never"
Own = Annotated[
    bool | None, typer.Option("--own/--no-own", help="Whether teams see their own matches in the freeze.")
]


def _moment(what: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        metavar="MOMENT", help=f"{what} Such as 2100-06-01T09:00, by this machine's clock; or {NEVER}."
    )
    return option


@dataclass(frozen=True)
class Moments:
    """When what is to be done."""

    open: Annotated[str | None, _moment("When teams may enter their bots.")] = None
    close: Annotated[str | None, _moment("When they may enter no more.")] = None
    start: Annotated[str | None, _moment("When it begins.")] = None
    freeze: Annotated[str | None, _moment("When results are hidden.")] = None
    reveal: Annotated[str | None, _moment("When all results are shown.")] = None

    def given(self) -> dict[Act, str | None]:
        """The moments that are to be changed."""
        texts = {act: getattr(self, act) for act in Act}
        return {act: _read(text) for act, text in texts.items() if text is not None}


def _read(text: str) -> str | None:
    if text == NEVER:
        return None
    try:
        given = dt.datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            say("{it!r} is no moment; write one like 2100-06-01T09:00, or {NEVER!r}", it=text, NEVER=NEVER)
        ) from None
    there = given.astimezone()
    if given.tzinfo is None and there.replace(tzinfo=None) != given:
        raise UsageError(
            say(
                "no clock shows {it} here, because clocks are put forward over it; name another time", it=text
            )
        )
    return there.isoformat()


@grouped
def timetable(name: TournamentName, *, moments: Moments, own: Own = None, as_json: AsJson = False) -> None:
    """Show what happens to a tournament by itself, and when; with options, change it."""
    given = moments.given()
    if not given and own is None:
        with connect() as client:
            told = client.timetable(name)
    else:
        with connect_with_token() as client:
            there = client.timetable(name)
            before = {each.act: each.at.isoformat() for each in there.moments}
            wanted = {str(act): given.get(act, before.get(act)) for act in Act}
            told = client.set_timetable(name, wanted, own=there.own if own is None else own)
    print_json(told) if as_json else _print_timetable(told)


def _print_timetable(told: TimetableOut) -> None:
    if not told.moments:
        print_line(say("nothing happens to {tournament} by itself", tournament=told.tournament))
    else:
        rows = [
            (each.act, f"{each.at.astimezone():%Y-%m-%d %H:%M:%S %z}", _how(each.done_at, each.trouble))
            for each in told.moments
        ]
        print_table(("what", "at", "done"), rows)
    if told.frozen_at:
        print_line(
            say("frozen since {astimezone:%Y-%m-%d %H:%M:%S %z}", astimezone=told.frozen_at.astimezone())
        )


def _how(done_at: dt.datetime | None, trouble: str | None) -> str:
    if trouble:
        return say("no: {trouble}", trouble=trouble)
    return f"{done_at.astimezone():%Y-%m-%d %H:%M:%S %z}" if done_at else ""


def freeze(
    name: TournamentName,
    own: Annotated[bool, typer.Option("--own", help="Let teams see their own matches.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hide new results from everybody but the tournament's staff."""
    with connect_with_token() as client:
        changed = client.freeze(name, own=own)
    print_json(changed) if as_json else print_line(
        say("{name} is frozen; reveal it with: arena tournament reveal", name=name)
    )


def reveal(
    name: TournamentName,
    step: Annotated[bool, typer.Option("--step", help="Go on by a step.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Go back by a step.")] = False,
    all_: Annotated[bool, typer.Option("--all", help="Show everybody all results at once.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show how far the reveal is, from the last place up; go on, or back. The last step is for everybody."""
    if step + back + all_ > 1:
        raise UsageError(say("--step, --back and --all are different things; give one of them"))
    with connect_with_token() as client:
        if all_:
            client.reveal_all(name)
        told = client.reveal(name)
        if step or back:
            told = client.step_reveal(name, told.step, max(0, told.step + (1 if step else -1)))
    print_json(told) if as_json else _print_reveal(told)


def _print_reveal(told: RevealOut) -> None:
    rows = [
        (
            place if line.place is None else line.place,
            line.bot,
            line.owner,
            f"{line.points:.1f}",
            "" if line.gained is None else f"{line.gained:+.1f}",
            say("final") if line.place is not None else say("revealed") if line.shown else say("hidden"),
        )
        for place, line in enumerate(told.items, start=1)
    ]
    print_table((">rank", "bot", "team", ">points", ">since freeze", "state"), rows)
    print_line(
        say("{step} of {steps} revealed", step=told.step, steps=told.steps)
        if told.frozen_at
        else say("everybody sees all results")
    )


def register(app: typer.Typer) -> None:
    """Add these commands to `arena tournament`."""
    app.command()(timetable)
    app.command()(freeze)
    app.command()(reveal)
