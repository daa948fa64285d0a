"""`arena tournament estimate` and `eta`: does it fit, and when is it over?"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line
from arena.core.terms import Change, Fits, TournamentState
from arena.core.words import N_, say, say_many

if TYPE_CHECKING:
    import datetime as dt

    from arena.client.http import ArenaClient
    from arena.schemas import planning as schemas


FITS = {
    Fits.SURELY: N_("it fits, even if every match takes as long as its clocks allow"),
    Fits.LIKELY: N_("it is likely to fit, though not at worst"),
    Fits.PERHAPS: N_("it may fit, or not"),
    Fits.NO: N_("it does not fit"),
}


def estimate(
    name: TournamentName,
    *,
    bots: Annotated[
        int | None,
        typer.Option(metavar="N", min=2, help="How many would take part [default: those entered]."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="W", min=1, help="Matches played at once [default: those there are now]."),
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it begins, as 13:00 [default: now].")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Does it fit until then, as 17:00?")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say, before the start, how many matches there are, how long they take, and whether that fits."""
    asked = {"bots": bots, "workers": workers, "start": start, "until": until}
    with connect() as client:
        estimated = client.estimate(name, **{key: value for key, value in asked.items() if value is not None})
    if as_json:
        print_json(estimated)
        return
    for line in estimate_lines(estimated):
        print_line(line)


def eta(name: TournamentName, as_json: AsJson = False) -> None:
    """Say when a running tournament will be over, and how sure that is."""
    with connect() as client:
        rest = client.eta(name)
    if as_json:
        print_json(rest)
        return
    for line in eta_lines(rest):
        print_line(line)


def estimate_lines(forecast: schemas.EstimateOut) -> list[str]:
    """An estimate in words."""
    bots = say(
        "{bots}, {workers} at once",
        bots=say_many("{number} bot", "{number} bots", forecast.bots),
        workers=forecast.workers,
    )
    lines = [
        say(
            "{bots}: {matches}, each at most {longest_match}",
            bots=bots,
            matches=_matches(forecast.matches),
            longest_match=lasting(forecast.longest_match),
        )
    ]
    if forecast.duration:
        lines += _lasts(forecast.duration, forecast.finish)
    else:
        lines.append(
            say(
                "it goes on until it is ended: {matches_an_hour} an hour",
                matches_an_hour=say_many(
                    "{number:.0f} match", "{number:.0f} matches", forecast.matches_an_hour
                ),
            )
        )
    lines += [*_about(forecast), *_deadline(forecast.deadline)]
    return lines


def _matches(count: schemas.MatchRange | None) -> str:
    if count is None:
        return say("no fixed number of matches")
    if count.least == count.most:
        return say_many("{number} match", "{number} matches", count.most)
    return say(
        "{least} to {most} (about {expected:.0f})",
        least=count.least,
        most=say_many("{number} match", "{number} matches", count.most),
        expected=count.expected,
    )


def _lasts(duration: schemas.Duration, finish: schemas.Finish | None) -> list[str]:
    interval = say(
        "{what:.0f} %: {low} to {high}",
        what=100 * duration.confidence,
        low=lasting(duration.low),
        high=lasting(duration.high),
    )
    lines = [
        say("expected: {expected} ({interval})", expected=lasting(duration.expected), interval=interval),
        say("at worst: {worst}", worst=lasting(duration.worst)),
    ]
    if finish:
        early, late = clock(finish.low), clock(finish.high)
        lines[0] += say(
            ", over at {expected} ({early} to {late})",
            expected=clock(finish.expected),
            early=early,
            late=late,
        )
        lines[1] += say(", over at {worst}", worst=clock(finish.worst))
    return lines


def _about(planned: schemas.EstimateOut | schemas.EtaOut) -> list[str]:
    basis, there = planned.based_on, planned.there
    counted = f" ({basis.matches})" if basis.matches else ""
    lines = [say("based on {words}{counted}", words=basis.words, counted=counted)]
    if not there.workers:
        lines.append(say("no worker is there now"))
    if there.lacking:
        lines.append(say("no host plays matches that need {lacking}", lacking=", ".join(there.lacking)))
    return [*lines, *_replays(planned.replays)]


def _replays(replays: schemas.Replays | None) -> list[str]:
    if replays is None:
        return []
    lines = []
    if replays.matches:
        groups = "; ".join(" = ".join(map(str, group)) for group in replays.matches)
        lines.append(say("warning: these matches were the same move by move: {groups}", groups=groups))
    if replays.times > 1:
        known = say("; {bots} do so", bots=", ".join(replays.bots)) if replays.bots else ""
        lines.append(
            say(
                "warning: deterministic bots would play the same game {times}, with the same seats from the "
                "same position{known}",
                times=say_many("{number} time", "{number} times", replays.times),
                known=known,
            )
        )
    if replays.openings:
        matches = replays.matches_then
        lines.append(
            say(
                "with openings {openings} all games differ: at most {matches}",
                openings=replays.openings,
                matches=say_many("{number} match", "{number} matches", matches or 0),
            )
        )
    return lines


def _deadline(deadline: schemas.DeadlineOut | None) -> list[str]:
    if deadline is None:
        return []
    lines = [say("until {until}: {what}", until=clock(deadline.until), what=say(FITS[deadline.fits]))]
    if deadline.alternatives:
        lines.append(say("what would be likely to fit:"))
    lines += [f"  {_alternative(each)}" for each in deadline.alternatives]
    return lines


def _alternative(alternative: schemas.AlternativeOut) -> str:
    changes = {
        Change.OPENINGS: say("openings {openings}", openings=alternative.openings),
        Change.CYCLES: say(
            "{it} of {get}",
            it=alternative.format,
            get=say_many("{number} cycle", "{number} cycles", alternative.options.get("cycles", 1)),
        ),
        Change.TIME: say("{lasting} for an answer", lasting=lasting(alternative.time.move_ms / 1000)),
        Change.WORKERS: say_many("{number} worker", "{number} workers", alternative.workers or 0),
        Change.FORMAT: say("format {it}", it=alternative.format),
    }
    duration = alternative.duration
    return say(
        "{what}: {matches}, {expected} (at most {high}, at worst {worst})",
        what=changes[alternative.change],
        matches=_matches(alternative.matches),
        expected=lasting(duration.expected),
        high=lasting(duration.high),
        worst=lasting(duration.worst),
    )


def eta_lines(rest: schemas.EtaOut) -> list[str]:
    """What is left of a tournament, in words."""
    later = say(" and about {later:.0f} in rounds to come", later=rest.later) if rest.later else ""
    lines = [
        say_many(
            "{number} match is left{later}; {workers} at once",
            "{number} matches are left{later}; {workers} at once",
            rest.left,
            later=later,
            workers=rest.there.workers,
        )
    ]
    if rest.duration:
        lines += _lasts(rest.duration, rest.finish)
    elif rest.endless:
        lines.append(say("it goes on until it is ended"))
    if rest.state == TournamentState.PAUSED:
        lines.append(say("it is paused: the time counts from when it goes on"))
    if rest.parked:
        lines.append(
            say_many(
                "{number} parked match is not counted; it waits for the staff",
                "{number} parked matches are not counted; they wait for the staff",
                rest.parked,
            )
        )
    if rest.voids:
        lines.append(
            say_many(
                "{number} attempt was void and made again, which is not foreseen here",
                "{number} attempts were void and made again, which is not foreseen here",
                rest.voids,
            )
        )
    if rest.sharing:
        lines.append(
            say_many(
                "{number} other tournament shares the workers",
                "{number} other tournaments share the workers",
                rest.sharing,
            )
        )
    return [*lines, *_about(rest)]


class Arrival:
    """What is left of a tournament for a live view: asked for now and then, left out where nobody answers."""

    def __init__(self, client: ArenaClient, name: str, pause: float = 10.0) -> None:
        self._client = client
        self._name = name
        self._pause = pause
        self._asked: float | None = None
        self._lines: list[str] = []

    def lines(self) -> list[str]:
        """What is left and when it is expected to be over."""
        from arena.client.errors import ClientError

        now = time.monotonic()
        if self._asked is None or now - self._asked >= self._pause:
            self._asked = now
            try:
                self._lines = eta_lines(self._client.eta(self._name))[:2]
            except ClientError:
                self._lines = []
        return self._lines


def lasting(seconds: float) -> str:
    """A duration as people say it: 40 s, 1 min 05 s, 12 min, 3 h 05 min, 2 d 4 h."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    if rest and minutes < 10:
        return say("{minutes} min {rest:02} s", minutes=minutes, rest=rest)
    minutes = round(seconds / 60)
    if minutes < 60:
        return say("{minutes} min", minutes=minutes)
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return say("{hours} h {minutes:02} min", hours=hours, minutes=minutes)
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} d {hours} h"


def clock(moment: dt.datetime | None) -> str:
    """A moment of the arena's answer, in the arena's time zone."""
    if moment is None:
        return say("in more than a hundred years")
    return f"{moment:%Y-%m-%d %H:%M}"
