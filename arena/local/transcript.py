"""What is said between the referee and a bot: a whole match of two random bots, overheard at seat 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots.protocol import PROTOCOL
from bots.protocol.messages import Answer, Ready
from bots.reference import make
from engines.game import Game
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.play import referee
from workers.play.inprocess import InProcessPlayer
from workers.play.player import Fault, Reply

BOT = "random"
SEEDS = (1, 2)


def transcript(game: Game[Any]) -> list[dict[str, Any]]:
    """Every message in order, `from` the `referee` or the `bot` and the `message`; the same at every call."""
    spec = MatchSpec(
        match="example",
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        bots=(BotRef(name=BOT), BotRef(name=BOT)),
        seeds=SEEDS,
    )
    overheard = _Overheard(make(BOT))
    referee.play(spec, (overheard, _Timeless(make(BOT))))
    return overheard.said


class _Timeless(InProcessPlayer):
    """A player whose answers take no time, so that nothing in a match depends on the machine."""

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        return super().ask(request, allowed_ns)._replace(wall_ns=0)


class _Overheard(_Timeless):
    """Such a player, with all that it is sent and answers."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self.said: list[dict[str, Any]] = []

    def begin(self, hello: Mapping[str, Any]) -> None:
        self._say("referee", hello)
        super().begin(hello)

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        answer, took_ns = super().ready(startup_ms)
        if isinstance(answer, Ready):
            names = {"name": answer.name, "version": answer.version, "reusable": answer.reusable}
            self._say("bot", {"type": "ready", "protocol": PROTOCOL, **names})
        return answer, took_ns

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        self._say("referee", {**request, "history": list(request["history"])})
        reply = super().ask(request, allowed_ns)
        if isinstance(reply.outcome, Answer):
            self._say("bot", {"type": "move", "id": request["id"], "move": reply.outcome.move})
        return reply

    def end(self, message: Mapping[str, Any]) -> None:
        self._say("referee", message)
        super().end(message)

    def _say(self, who: str, message: Mapping[str, Any]) -> None:
        self.said.append({"from": who, "message": dict(message)})
