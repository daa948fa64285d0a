"""A game at the terminal: a person against any bot, or two people, with the referee between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.core.words import N_, say
from arena.local.endings import ending

if TYPE_CHECKING:
    from arena.local.players import Player
    from bots.sdk.arena_bot import Request
    from engines.game import Game
    from workers.core.contract import MatchRecord, MatchResult, MoveRecord, Seat

SEATS: tuple[Seat, Seat] = (0, 1)
AN_HOUR_MS = 3600 * 1000
HELP = N_("Type a move, `moves` for all of them, `hint` for the best, `quit` to give up.")


class Terminal(NamedTuple):
    """Where a person sits: `ask` gives a line, None when there is no more; `note` is for help."""

    ask: Callable[[str], str | None]
    show: Callable[[str], None]
    note: Callable[[str], None]


class Typist:
    """A person at the terminal, as the referee's player, who is shown what a bot noted beside the last move.

    `moves` are those of the game, which grow while it is played.
    """

    name = "you"

    def __init__(self, game: Game[Any], terminal: Terminal, moves: Sequence[MoveRecord]) -> None:
        self._game, self._terminal, self._moves = game, terminal, moves

    def choose(self, request: Request) -> Any:
        """The first line that is a legal move; whatever else is typed is answered."""
        from bots.sdk.arena_bot import RESIGN

        state = self._game.state_from_json(request.state)
        if request.history:
            note = f"  {self._moves[-1].debug!r}" if self._moves and self._moves[-1].debug else ""
            self._terminal.show(say("The last move: {what}", what=request.history[-1]) + note)
        self._terminal.show(self._game.draw(state))
        while True:
            typed = self._terminal.ask(say("seat {state}> ", state=self._game.to_move(state)))
            if typed is None or typed.strip() == "quit":
                return RESIGN
            text = typed.strip()
            if text in request.legal:
                return text
            self._terminal.show(self._answer(text, state, request.legal))

    def _answer(self, text: str, state: Any, legal: Any) -> str:
        from arena.local.errors import in_words
        from arena.local.hints import hint_lines
        from engines.game import GameError
        from engines.solvers import no_progress
        from workers.play.hints import hint

        if text == "moves":
            return " ".join(legal)
        if text == "hint":
            try:
                told = hint(self._game, state, no_progress)
            except GameError as error:
                return in_words(error)
            return "\n".join([*hint_lines(self._game, state, told)][-1 - len(told["moves"]) :])
        try:
            self._game.play(state, self._game.move_from_text(text))
        except GameError as error:
            return f"{in_words(error)}\n{say(HELP)}"
        return say(HELP)


def play(game: Game[Any], against: Player | None, seat: Seat, seed: int, terminal: Terminal) -> MatchRecord:
    """One game with the person in `seat`; without `against` the person plays both sides.

    The bot is a process of its own, confined as in any match here, and is ended with the game.

    Raises:
        WorkerError: the bot cannot be started here.
    """
    from engines.stream import derive
    from workers.core.contract import BotRef, GameSpec, MatchRecord, MatchSpec, TimeControl
    from workers.play import referee
    from workers.play.inprocess import InProcessPlayer
    from workers.play.starting import session_of

    names = [against.name if against and each != seat else "you" for each in SEATS]
    spec = MatchSpec(
        match="at-the-terminal",
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        bots=(BotRef(name=names[0]), BotRef(name=names[1])),
        seeds=(derive("game play", seed, 0), derive("game play", seed, 1)),
        time=TimeControl(move_ms=AN_HOUR_MS, extension_ms=AN_HOUR_MS),
    )
    terminal.note(say(HELP))
    moves: list[MoveRecord] = []
    people = [InProcessPlayer(Typist(game, terminal, moves)) for _ in SEATS]
    if against is None:
        return MatchRecord(spec=spec, result=referee.play(spec, (people[0], people[1]), moves=moves))
    session = session_of(against.command, spec.limits)
    try:
        seats = (people[0], session) if seat == 0 else (session, people[1])
        result = referee.play(spec, seats, moves=moves)
    finally:
        session.kill()
    return MatchRecord(spec=spec, result=result)


def told(game: Game[Any], result: MatchResult, names: Mapping[Seat, str]) -> str:
    """How it ended, in a line."""
    state = game.initial()
    for record in result.moves:
        state = game.play(state, game.move_from_text(record.move))
    shown, reason = game.draw(state), ending(game.name, result.reason)
    if result.winner is None:
        return say(
            "{shown}\nA draw ({reason}), score {what} to {what2}.",
            shown=shown,
            reason=reason,
            what=result.score[0],
            what2=result.score[1],
        )
    score = say("score {what} to {what2}", what=result.score[0], what2=result.score[1])
    return say(
        "{shown}\nSeat {winner} ({what}) wins ({reason}), {score}.",
        shown=shown,
        winner=result.winner,
        what=names[result.winner],
        reason=reason,
        score=score,
    )
