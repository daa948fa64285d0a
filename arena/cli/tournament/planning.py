"""`arena tournament estimate` and `eta`: does it fit, and when is it over?"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect
from arena.cli.shared.options import AsJson, TournamentName
from arena.cli.shared.output import print_json, print_line
from arena.core.terms import Change, Fits

if TYPE_CHECKING:
    import datetime as dt

    from arena.client.http import ArenaClient
    from arena.schemas import planning as schemas


FITS = {
    Fits.SURELY: "it fits, even if every match takes as long as its clocks allow",
    Fits.LIKELY: "it is likely to fit, though not at worst",
    Fits.PERHAPS: "it may fit, or not",
    Fits.NO: "it does not fit",
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
    bots = f"{forecast.bots} bots, {forecast.workers} at once"
    lines = [f"{bots}: {_matches(forecast.matches)}, each at most {lasting(forecast.longest_match)}"]
    if forecast.duration:
        lines += _lasts(forecast.duration, forecast.finish)
    else:
        lines.append(f"it goes on until it is ended: {forecast.matches_an_hour:.0f} matches an hour")
    lines += [*_about(forecast), *_deadline(forecast.deadline)]
    return lines


def _matches(count: schemas.MatchRange | None) -> str:
    if count is None:
        return "no fixed number of matches"
    if count.least == count.most:
        return f"{count.most} matches"
    return f"{count.least} to {count.most} matches (about {count.expected:.0f})"


def _lasts(duration: schemas.Duration, finish: schemas.Finish | None) -> list[str]:
    interval = f"{100 * duration.confidence:.0f} %: {lasting(duration.low)} to {lasting(duration.high)}"
    lines = [
        f"expected: {lasting(duration.expected)} ({interval})",
        f"at worst: {lasting(duration.worst)}",
    ]
    if finish:
        early, late = clock(finish.low), clock(finish.high)
        lines[0] += f", over at {clock(finish.expected)} ({early} to {late})"
        lines[1] += f", over at {clock(finish.worst)}"
    return lines


def _about(planned: schemas.EstimateOut | schemas.EtaOut) -> list[str]:
    basis, there = planned.based_on, planned.there
    counted = f" ({basis.matches})" if basis.matches else ""
    lines = [f"based on {basis.words}{counted}"]
    if not there.workers:
        lines.append("no worker is there now")
    if there.lacking:
        lines.append(f"no host plays matches that need {', '.join(there.lacking)}")
    return [*lines, *_replays(planned.replays)]


def _replays(replays: schemas.Replays | None) -> list[str]:
    if replays is None:
        return []
    lines = []
    if replays.matches:
        groups = "; ".join(" = ".join(map(str, group)) for group in replays.matches)
        lines.append(f"warning: these matches were the same move by move: {groups}")
    if replays.times > 1:
        known = f"; {', '.join(replays.bots)} do so" if replays.bots else ""
        lines.append(
            f"warning: deterministic bots would play the same game {replays.times} times, "
            f"with the same seats from the same position{known}"
        )
    if replays.openings:
        matches = replays.matches_then
        lines.append(f"with openings {replays.openings} all games differ: at most {matches} matches")
    return lines


def _deadline(deadline: schemas.DeadlineOut | None) -> list[str]:
    if deadline is None:
        return []
    lines = [f"until {clock(deadline.until)}: {FITS[deadline.fits]}"]
    if deadline.alternatives:
        lines.append("what would be likely to fit:")
    lines += [f"  {_alternative(each)}" for each in deadline.alternatives]
    return lines


def _alternative(alternative: schemas.AlternativeOut) -> str:
    changes = {
        Change.OPENINGS: f"openings {alternative.openings}",
        Change.CYCLES: f"{alternative.format} of {alternative.options.get('cycles', 1)} cycle(s)",
        Change.TIME: f"{lasting(alternative.time.move_ms / 1000)} for an answer",
        Change.WORKERS: f"{alternative.workers} workers",
        Change.FORMAT: f"format {alternative.format}",
    }
    duration = alternative.duration
    return (
        f"{changes[alternative.change]}: {_matches(alternative.matches)}, {lasting(duration.expected)} "
        f"(at most {lasting(duration.high)}, at worst {lasting(duration.worst)})"
    )


def eta_lines(rest: schemas.EtaOut) -> list[str]:
    """What is left of a tournament, in words."""
    later = f" and about {rest.later:.0f} in rounds to come" if rest.later else ""
    lines = [f"{rest.left} matches are left{later}; {rest.there.workers} are played at once"]
    if rest.duration:
        lines += _lasts(rest.duration, rest.finish)
    elif rest.endless:
        lines.append("it goes on until it is ended")
    if rest.state == "paused":
        lines.append("it is paused: the time counts from when it goes on")
    if rest.parked:
        lines.append(f"{rest.parked} parked matches are not counted; they wait for the staff")
    if rest.voids:
        lines.append(f"{rest.voids} attempts were void and made again, which is not foreseen here")
    if rest.sharing:
        lines.append(f"{rest.sharing} other tournaments share the workers")
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
        return f"{minutes} min {rest:02} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02} min"
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} d {hours} h"


def clock(moment: dt.datetime | None) -> str:
    """A moment of the arena's answer, in the arena's time zone."""
    if moment is None:
        return "in more than a hundred years"
    return f"{moment:%Y-%m-%d %H:%M}"
