"""Whether a result fits the match that it was reported for.

Results come from hosts that run strangers' programs, so nothing is believed that the rules can check: the
moves are played again, and what they lead to must be what the result says.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from pydantic import ValidationError

from arena.core.terms import MAX_HOST_CHARS
from engines.game import Game, GameError, Outcome, Score
from engines.games import find_game
from workers.core.contract import RESIGNED, CpuContention, FaultCode, MatchResult, MatchSpec
from workers.play.policy import Reason, watch_of

MAX_NS = 30 * 24 * 3600 * 10**9
EXCUSABLE = {FaultCode.TIMEOUT, FaultCode.STARTUP}
MAX_REASON_CHARS = 40
MAX_FAULTS = 1000


class UnfitResultError(Exception):
    """A reported result is not one of this match; the message says in what."""


def require(fits: bool, otherwise: str) -> None:
    """Go on only with what fits.

    Raises:
        UnfitResultError: it does not; `otherwise` says in what.
    """
    if not fits:
        raise UnfitResultError(otherwise)


def unreadable(what: str, error: ValidationError) -> UnfitResultError:
    """What is reported is not even of its form."""
    return UnfitResultError(f"no {what}: {first_fault(error)}")


def first_fault(error: ValidationError) -> str:
    """The first fault of a report, without the input; of very many, each of which takes a kilobyte, none."""
    if (count := error.error_count()) > MAX_FAULTS:
        return f"{count} faults"
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{first['msg']} at {first['loc']}"


def fit_result(payload: Mapping[str, Any], spec: MatchSpec, host: str | None = None) -> MatchResult:
    """The result in `payload`, checked against the match, of the `host` that has it in hand, if one has.

    That one has signed it, whatever the result says.

    Raises:
        UnfitResultError: it is no result, or none of this match.
    """
    try:
        result = MatchResult.model_validate(payload)
    except ValidationError as error:
        raise unreadable("match result", error) from None
    require(result.match == spec.match, f"it is of match {result.match!r}, not {spec.match!r}")
    result = result.model_copy(update={"host": host or result.host})
    _check_sizes(result)
    _check_use(spec, result)
    try:
        _check_play(find_game(spec.game.name, spec.game.params), spec, result)
    except GameError as error:
        raise UnfitResultError(f"its moves cannot be played: {error}") from None
    return result


def _check_sizes(result: MatchResult) -> None:
    require(not result.voided, "it tells of an attempt before it")
    require(len(result.reason) <= MAX_REASON_CHARS, "its reason is too long")
    require(len(result.host) <= MAX_HOST_CHARS and "\0" not in result.host, "its host is no host name")
    times = [sum(move.wall_ns for move in result.moves)]
    for seat in result.seats:
        times += [seat.startup_ns, seat.wall_ns, seat.slowest_ns]
    for move in result.moves:
        times += [move.wall_ns, move.lag_ns, move.off_turn_ns, move.cpu_ns or 0, *_times(move.strain)]
    for forfeit in result.forfeits:
        times += [forfeit.clock_ns, forfeit.cpu_ns or 0, *_times(forfeit.strain)]
    require(max(times) <= MAX_NS, "it took longer than any match may")
    require(not any("\0" in (move.debug or "") for move in result.moves), "a debug text contains NUL")


def _check_use(spec: MatchSpec, result: MatchResult) -> None:
    for seat, use in enumerate(result.seats):
        require(use.answers <= len(result.moves), f"seat {seat} has answered more than there are moves")
        given = spec.time.extensions
        require(use.extensions_used <= given, f"seat {seat} has used more than its {given} extensions")


def _times(strain: CpuContention) -> tuple[int, ...]:
    return strain.waited_ns or 0, strain.pressure_ns or 0, strain.steal_ns or 0, strain.lost_ns


def _check_play(game: Game[Any], spec: MatchSpec, result: MatchResult) -> None:
    played = tuple(move.move for move in result.moves)
    require(played[: len(spec.opening)] == spec.opening, "it does not begin with the opening")
    state: Hashable = game.initial()
    watch = watch_of(game, spec.policy)
    for ply, move in enumerate(result.moves):
        drawn = watch.reason if watch and ply >= len(spec.opening) else None
        require(drawn is None, f"ply {ply} was played after the draw by {drawn}")
        require(move.ply == ply, f"ply {move.ply} stands where ply {ply} should")
        require(move.seat == game.to_move(state), f"ply {ply} was not seat {move.seat}'s to play")
        state = game.play(state, game.move_from_text(move.move))
        if watch:
            watch.played(state)
    drawn = watch.reason if watch else None
    asked = len(result.moves) > len(spec.opening)
    require(not (drawn and asked and result.forfeits), f"it has a forfeit after the draw by {drawn}")
    told = Outcome(result.winner, result.reason, result.score)
    expected = _outcome(game, state, drawn, result)
    require(told == expected, f"it says {told} where its moves say {expected}")


def _outcome(game: Game[Any], state: Hashable, drawn: Reason | None, result: MatchResult) -> Outcome | None:
    """What the rules and the policy make of the last state, and of who gave up."""
    if result.forfeits:
        return _forfeited(game, result)
    ended = game.outcome(state)
    if ended is None and drawn:
        return Outcome(None, drawn, game.draw_score())
    if ended is None and result.reason == RESIGNED:
        loser = game.to_move(state)
        return Outcome(1 if loser == 0 else 0, RESIGNED, game.forfeit_score(loser))
    return ended


def _forfeited(game: Game[Any], result: MatchResult) -> Outcome:
    seats = {forfeit.seat for forfeit in result.forfeits}
    require(len(seats) == len(result.forfeits), "a seat forfeits twice")
    require(result.reason in {forfeit.code for forfeit in result.forfeits}, "its reason is no forfeit of it")
    excused = {forfeit.code for forfeit in result.forfeits if forfeit.excused}
    require(excused <= EXCUSABLE, "it excuses something else than being late")
    if len(seats) == 2:
        score: Score = (game.forfeit_score(0)[0], game.forfeit_score(1)[1])
        return Outcome(None, result.reason, score)
    loser = result.forfeits[0].seat
    return Outcome(1 if loser == 0 else 0, result.reason, game.forfeit_score(loser))
