"""The page of a team's own game: why it ended as it did, and the command that asks the same again at home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from arena.core.commands import replay_command
from arena.core.diagnosis import Broken, where_broken
from arena.results.own_games import outcome_of
from arena.schemas.matches import MatchDetail
from arena.schemas.positions import PositionOut
from arena.schemas.scrimmages import ScrimmageGameDetail
from arena.store.models import BotVersion
from arena.web.answers.steps import steps
from arena.web.http.responses import file_response
from arena.web.pages import illegal
from arena.web.pages.analyses import Shown
from arena.web.pages.rendering import render
from arena.web.pages.replay import drawn, positions_address
from engines.game import GameError
from workers.core.contract import RESIGNED, FaultCode, Forfeit, GameSpec, MatchRecord, SeatUse, TimeControl
from workers.core.stderr import KEPT

LAST = 6
"""So many of the last moves are told of a game that was lost at the board."""
AROUND = 1200
"""So much of what was written to stderr is shown before what broke, and of what did not break at the end."""
RECORD = "application/x-ndjson"


@dataclass(frozen=True)
class Stderr:
    """What a bot wrote to stderr: `before`, then how it `broke`, and `after`; `whole` where that is cut."""

    before: str
    broke: str
    after: str
    whole: str | None


@dataclass(frozen=True)
class Cause:
    """Why a game ended as it did for one side.

    `legal` are the moves of the position that it ended in, `answered` the move that was not among them, and
    `why` what the rules have against it. Of the failing answer, `allowed` are the seconds that it had, None
    where a reserve was added to them, and `extended` says whether they are those of an extension. `command`
    asks a bot at home the same again; nothing where it was asked nothing.
    """

    forfeit: Forfeit | None
    use: SeatUse
    legal: Sequence[str]
    answered: str | None
    why: GameError | None
    allowed: float | None
    extended: bool
    stderr: Stderr | None
    broken: Broken | None
    command: str | None


@dataclass(frozen=True)
class OwnGame:
    """A game as its team sees it: `record` is None before its end, and `files` name the bots at home.

    `seats` are those of which what the bot wrote may be read, `here` is where its page stands, and `filename`
    what its record is called.
    """

    told: MatchDetail | ScrimmageGameDetail
    record: MatchRecord | None
    spec: GameSpec
    time: TimeControl
    seats: Sequence[int]
    files: Sequence[str]
    here: str
    filename: str


def show(
    request: Request,
    template: str,
    own: OwnGame,
    ply: int | None,
    *,
    values: Shown | None = None,
    better: str | None = None,
    **more: Any,
) -> HTMLResponse:
    """The page: the board after `ply` plies, all moves, and for each of the seats why it ended so.

    With the exact `values` of its positions, where there are any, and a `better` move on the board.
    """
    told = own.told
    played = [move.move for move in told.moves] or told.opening
    scene, position = drawn(own.spec, played, ply)
    end = position if ply is None else drawn(own.spec, played, None)[1]
    result = told.result
    return render(
        request,
        template,
        match=told,
        spec=own.spec,
        time=own.time,
        seats=own.seats,
        here=own.here,
        filename=own.filename,
        outcomes=[outcome_of(round(2 * each), result.reason) for each in result.points] if result else [],
        causes=_causes(own.record, own, end) if own.record else {},
        steps=steps(told.moves, own.time.extensions, len(told.opening)),
        most=LAST,
        scene=scene,
        position=position,
        positions=positions_address(own.spec, played),
        values=values,
        better=better,
        places=values.better(position.ply, better) if values and position else [],
        last=len(played),
        notes={seat: [each for each in told.moves if each.seat == seat and each.debug] for seat in own.seats},
        **more,
    )


def at_home(version: BotVersion) -> str:
    """What a bot is called where it was handed in from: a zip was made of a folder."""
    name = version.filename.removesuffix(".zip")
    return f"./{name}" if name.startswith(("-", "@")) else name


def download(record: MatchRecord, filename: str) -> Response:
    """The record as a file of one line, for `arena match show` and `arena match replay`."""
    return file_response(record.model_dump_json() + "\n", filename, RECORD)


def _causes(record: MatchRecord, own: OwnGame, end: PositionOut | None) -> Mapping[int, Cause]:
    legal = [each.move for each in end.legal or ()] if end and not end.over else []
    return {seat: _cause(record, seat, legal, own) for seat in own.seats}


def _cause(record: MatchRecord, seat: int, legal: Sequence[str], own: OwnGame) -> Cause:
    result, time = record.result, record.spec.time
    forfeit = next((each for each in result.forfeits if each.seat == seat), None)
    use = result.seats[seat]
    spent = sum(move.extension for move in result.moves if move.seat == seat)
    extended = use.extensions_used > spent
    wrote = _written(use) or (forfeit.stderr_tail if forfeit else "")
    broken = where_broken(wrote)
    until = _asked_until(record, seat, forfeit)
    return Cause(
        forfeit=forfeit,
        use=use,
        legal=legal if forfeit and forfeit.code is not FaultCode.STARTUP else (),
        answered=illegal.answered(forfeit) if forfeit else None,
        why=illegal.why(own.spec, forfeit) if forfeit else None,
        allowed=None
        if time.bank_ms is not None
        else (time.extension_ms if extended else time.move_ms) / 1000,
        extended=extended,
        stderr=_excerpt(wrote, broken) if wrote else None,
        broken=broken,
        command=replay_command(own.filename, own.files[seat], seat, until) if until else None,
    )


def _asked_until(record: MatchRecord, seat: int, forfeit: Forfeit | None) -> int:
    """After how many plies a seat was asked for the last time, with the one it was asked for; 0 for never."""
    result = record.result
    if forfeit is not None:
        return forfeit.ply + 1
    if result.reason == RESIGNED and result.winner == 1 - seat:
        return len(result.moves) + 1
    return max((move.ply + 1 for move in result.moves if move.seat == seat and move.asked), default=0)


def _written(use: SeatUse) -> str:
    gap = "\n\n[…]\n\n" if use.stderr_bytes > 2 * KEPT else ""
    return use.stderr_head + gap + use.stderr_tail


def _excerpt(text: str, broken: Broken | None) -> Stderr:
    start, end = (broken.start, broken.end) if broken else (len(text), len(text))
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    shown = Stderr(text[first:start], text[start:end], text[end:last], None)
    return shown if last - first == len(text) else Stderr(shown.before, shown.broke, shown.after, text)
