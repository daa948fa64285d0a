"""A short game of each kind, to show what it looks like and what is said: played once by two random players.

They sit before the same referee as every match, in this process, as they are the arena's own and need no more
than the rules. So whatever is shown of a game is true of it as it is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from arena.schemas.positions import PositionOut, SceneOut
from arena.web.answers.positions import position_after, positions, scene_of
from bots.protocol import PROTOCOL
from bots.protocol.messages import Ready, encode
from bots.reference import make
from engines.games import find_game
from workers.core.contract import BotRef, GameSpec, MatchResult, MatchSpec
from workers.play import referee
from workers.play.inprocess import InProcessPlayer
from workers.play.player import Fault, Reply
from workers.play.policy import Reason

PLAYER = "random"
TRIED = 6
"""So many games are played, of which the shortest is shown."""
DRAWN: tuple[Reason, ...] = ("repetition", "ply_limit")
"""Games that a match's policy ends do not show how the game itself does."""


class TranscriptLine(NamedTuple):
    """One line of a conversation: sent by the referee, or by the bot."""

    by_referee: bool
    text: str


class Specimen(NamedTuple):
    """A game: its opening position with what can be played there, one in its midst and its end.

    `said` is what the referee and the bot that moved first told each other.
    """

    scene: SceneOut
    opening: PositionOut
    midst: PositionOut
    end: PositionOut
    moves: tuple[str, ...]
    said: tuple[TranscriptLine, ...]


class _Recorded(InProcessPlayer):
    """A player whose conversation is written down, as its lines would be."""

    def __init__(self) -> None:
        super().__init__(make(PLAYER))
        self.said: list[TranscriptLine] = []

    def _note(self, message: Mapping[str, Any], *, by_referee: bool) -> None:
        self.said.append(TranscriptLine(by_referee, encode(message).decode().strip()))

    def begin(self, hello: Mapping[str, Any]) -> None:
        self._note(hello, by_referee=True)
        super().begin(hello)

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        answer, took_ns = super().ready(startup_ms)
        if isinstance(answer, Ready):
            self._note({"type": "ready", "protocol": PROTOCOL, **answer._asdict()}, by_referee=False)
        return answer, took_ns

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        self._note(request, by_referee=True)
        reply = super().ask(request, allowed_ns)
        if not isinstance(reply.outcome, Fault):
            answer = {"type": "move", "id": request["id"], "move": reply.outcome.move}
            self._note(answer, by_referee=False)
        return reply

    def end(self, message: Mapping[str, Any]) -> None:
        self._note(message, by_referee=True)
        super().end(message)


@cache
def specimen_of(name: str) -> Specimen:
    """That of the game of that name with its usual parameters; it is played when it is first asked for.

    Raises:
        UnknownGameError: there is no such game.
    """
    game = find_game(name)
    spec = GameSpec(name=name, params=game.params, version=game.version)
    result, said = min((_played(spec, seed) for seed in range(TRIED)), key=lambda each: _length(each[0]))
    moves = tuple(move.move for move in result.moves)
    opening, midst = (position_after(game, moves[:ply]) for ply in (0, len(moves) // 2))
    (end,) = positions(game, moves, len(moves))
    return Specimen(scene_of(game), opening, midst, end, moves, tuple(said))


def _played(spec: GameSpec, seed: int) -> tuple[MatchResult, list[TranscriptLine]]:
    bot = BotRef(name=PLAYER)
    match = MatchSpec(match="1", game=spec, bots=(bot, bot), seeds=(2 * seed, 2 * seed + 1))
    first = _Recorded()
    return referee.play(match, (first, InProcessPlayer(make(PLAYER)))), first.said


def _length(result: MatchResult) -> tuple[bool, int]:
    return result.reason in DRAWN, len(result.moves)
