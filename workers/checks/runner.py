"""The submission check: is a bot fit to play? The same on a worker and, without any arena, at home.

It is built, shakes hands, is asked in a few positions of a recorded game, plays `random` from both seats,
and plays itself; this for each game that it says it plays. The first fault ends the check. Trouble of ours
is never a fault: it is raised, and the check is done again.

Each game has its time. A bot that needs long for its answers is asked in every position, but its whole
matches are broken off when their part of that time is over; that is no fault either.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Final

from bots.reference import command
from engines.game import Game
from engines.games import find_game
from engines.stream import Stream, derive
from workers.checks.contract import BUILD, CheckReport, CheckSpec, Output, Step, StepReport
from workers.core.contract import BotRef, FaultCode, Forfeit, GameSpec, MatchResult, MatchSpec, Policy, Seat
from workers.core.errors import BuildError, TimeUpError, WorkerError
from workers.core.halt import Halt
from workers.play.match import play_fairly, play_match
from workers.programs.builds import BuildCache, Built
from workers.sandbox.confinement import Confinement, Program

POSITIONS: Final = 4
LONGEST: Final = 60
WHOLE: Final = 3
"""Whole matches in each game."""
OPPONENT: Final = "random"

Told = Callable[[StepReport], None]


def check_bot(
    spec: CheckSpec,
    build_cache: BuildCache,
    *,
    confinement: Confinement | None = None,
    told: Told | None = None,
    halt: Halt | None = None,
    exactly: Mapping[str, str] | None = None,
) -> CheckReport:
    """Check a bot and report; `told` hears of each part when it is done, and `halt` breaks it off.

    Its environment is the one of the digest in `exactly`, else the current one of its name.

    Raises:
        WorkerError: the check could not be done, through no fault of the bot.
    """
    if halt:
        return _Check(spec, confinement, told, halt).run(build_cache, exactly)
    with closing(Halt()) as own:
        return _Check(spec, confinement, told, own).run(build_cache, exactly)


class _FoundError(Exception):
    """The bot lost a match of its check by a fault."""

    def __init__(self, forfeit: Forfeit, stderr: Output) -> None:
        super().__init__(forfeit.detail)
        self.forfeit = forfeit
        self.stderr = stderr


class _Check:
    """One check while it is being done."""

    def __init__(
        self, spec: CheckSpec, confinement: Confinement | None, told: Told | None, halt: Halt
    ) -> None:
        self._spec = spec
        self._confinement = confinement
        self._told = told
        self._halt = halt
        self._steps: list[StepReport] = []
        self._about: dict[str, Any] = {}

    def run(self, build_cache: BuildCache, exactly: Mapping[str, str] | None) -> CheckReport:
        archive = self._spec.bot.archive
        if archive is None:
            raise WorkerError(f"{self._spec.bot.name} has no archive; only stored bots can be checked")
        began = time.monotonic()
        self._about = {"language": build_cache.source(archive).word}
        try:
            built = build_cache.build(archive, self._halt, exactly)
        except BuildError as error:
            self._done(Step.BUILD, None, began, passed=False)
            return self._report(code=BUILD, detail=str(error), build=Output.of(error.said))
        self._about |= {"toolchain": built.version, "build": Output.of(built.said)}
        self._done(Step.BUILD, None, began)
        try:
            for game in self._spec.games:
                self._play(find_game(game), built)
        except _FoundError as failure:
            fault = failure.forfeit
            detail = "; ".join(filter(None, (fault.detail, self._hint(build_cache, archive))))
            return self._report(code=fault.code, detail=detail, forfeit=fault, stderr=failure.stderr)
        return self._report()

    def _hint(self, build_cache: BuildCache, archive: str) -> str:
        """Which other protocol a bot may speak that did not even greet; empty where that is not it."""
        if self._steps[-1].step is not Step.HANDSHAKE:
            return ""
        return build_cache.hint(archive)

    def _done(
        self, step: Step, game: str | None, began: float, *, passed: bool = True, cut: bool = False
    ) -> None:
        took = int((time.monotonic() - began) * 1000)
        self._steps.append(StepReport(step=step, game=game, passed=passed, took_ms=took, cut=cut))
        if self._told:
            self._told(self._steps[-1])

    def _report(self, **verdict: Any) -> CheckReport:
        game = next((step.game for step in self._steps if not step.passed), None)
        games = (game,) if game else self._spec.games
        return CheckReport(
            check=self._spec.check,
            passed="code" not in verdict,
            steps=tuple(self._steps),
            reproduce=" ".join(["arena bot check PATH", *(f"--game {name}" for name in games)]),
            host=socket.gethostname(),
            **{**self._about, **verdict},
        )

    # --- one game --------------------------------------------------------------------------------

    def _play(self, game: Game[Any], built: Built) -> None:
        self._until = time.monotonic() + self._spec.game_seconds
        self._whole_left = WHOLE
        asked = positions(game)
        bot, other = built.program, Program(command(OPPONENT), trusted=True)
        self._step(Step.HANDSHAKE, game, [(*asked[0], Policy(max_plies=1))], bot, other)
        limited = [(seat, opening, Policy(max_plies=len(opening) + 1)) for seat, opening in asked]
        self._step(Step.POSITIONS, game, limited, bot, other)
        self._step(Step.RANDOM, game, [(0, (), Policy()), (1, (), Policy())], bot, other)
        self._step(Step.SELF_PLAY, game, [(0, (), Policy())], bot, bot)

    def _step(
        self,
        step: Step,
        game: Game[Any],
        matches: list[tuple[Seat, tuple[str, ...], Policy]],
        bot: Program,
        other: Program,
    ) -> None:
        began, cut = time.monotonic(), False
        try:
            for seat, opening, policy in matches:
                spec = self._match_spec(game, seat, opening, policy)
                if step in {Step.RANDOM, Step.SELF_PLAY}:
                    cut = self._whole(step, spec, seat, bot, other) or cut
                else:
                    self._match(step, spec, seat, bot, other)
        except _FoundError as failure:
            self._done(step, game.name, began, passed=False)
            raise failure from None
        self._done(step, game.name, began, cut=cut)

    def _whole(self, step: Step, spec: MatchSpec, seat: Seat, bot: Program, other: Program) -> bool:
        """Play a whole match in its even part of the time that is left; whether it was too long for that."""
        now = time.monotonic()
        moment = now + max(0.0, self._until - now) / self._whole_left
        self._whole_left -= 1
        try:
            with self._halt.until(moment):
                self._match(step, spec, seat, bot, other)
        except TimeUpError:
            return True
        return False

    def _match_spec(self, game: Game[Any], seat: Seat, opening: tuple[str, ...], policy: Policy) -> MatchSpec:
        other = BotRef(name=OPPONENT)
        return MatchSpec(
            match=f"check {self._spec.check}",
            game=GameSpec(name=game.name, params=game.params, version=game.version),
            bots=(self._spec.bot, other) if seat == 0 else (other, self._spec.bot),
            opening=opening,
            seeds=(derive(0, "check", game.name, 0), derive(0, "check", game.name, 1)),
            time=self._spec.time,
            limits=self._spec.limits,
            policy=policy,
        )

    def _match(self, step: Step, spec: MatchSpec, seat: Seat, bot: Program, other: Program) -> None:
        programs = (bot, other) if seat == 0 else (other, bot)
        result = play_fairly(lambda: self._played(spec, programs))
        self._judge(result, None if step is Step.SELF_PLAY else seat, step)

    def _played(self, spec: MatchSpec, programs: tuple[Program, Program]) -> MatchResult:
        return play_match(spec, programs, confinement=self._confinement, halt=self._halt)

    def _judge(self, result: MatchResult, seat: Seat | None, step: Step) -> None:
        """Raise the fault of the bot, which had `seat` (None: both)."""
        for forfeit in result.forfeits:
            if forfeit.excused or (seat is not None and forfeit.seat != seat):
                raise WorkerError(
                    f"the check's match was lost by {forfeit.code}, not through the bot's fault"
                )
            if step is Step.HANDSHAKE and forfeit.code is not FaultCode.STARTUP:
                continue
            use = result.seats[forfeit.seat]
            stderr = Output(head=use.stderr_head, tail=use.stderr_tail, size=use.stderr_bytes)
            raise _FoundError(forfeit, stderr)
        own = result.seats[seat or 0]
        self._about |= {"bot_name": own.bot_name, "bot_version": own.bot_version}


def positions(game: Game[Any]) -> list[tuple[Seat, tuple[str, ...]]]:
    """Positions in which a bot is asked: who is to move, and the moves that lead there.

    They are spread over one game of random moves, always the same one, and begin with its first position.
    """
    stream, state = Stream("check", game.name), game.initial()
    line: list[str] = []
    asked: list[tuple[Seat, tuple[str, ...]]] = []
    while game.outcome(state) is None and len(line) < LONGEST:
        legal = game.legal_moves(state)
        if len(legal) > 1 or not asked:
            asked.append((game.to_move(state), tuple(line)))
        move = stream.choice(legal)
        line.append(game.move_to_text(move))
        state = game.play(state, move)
    return asked[:: -(-len(asked) // POSITIONS)]
