"""Reference bots refereed without a process."""

from __future__ import annotations

from bots import reference
from bots.sdk.arena_bot import RESIGN, Request
from tests.unit.workers.conftest import make_spec
from workers.play import referee
from workers.play.inprocess import InProcessPlayer
from workers.play.match import play_match


def test_a_bot_plays_the_same_game_in_process_and_as_a_process() -> None:
    """The referee cannot tell a reference bot's object from its process, but by the time it takes."""
    spec = make_spec()
    inside = referee.play(
        spec, (InProcessPlayer(reference.make("random")), InProcessPlayer(reference.make("greedy")))
    )
    outside = play_match(spec, (reference.command("random"), reference.command("greedy")))
    assert [move.move for move in inside.moves] == [move.move for move in outside.moves]
    assert (inside.winner, inside.score) == (outside.winner, outside.score)
    assert inside.seats[0].bot_name == outside.seats[0].bot_name == "random"


class Quitter:
    """Resigns with its second answer, and remembers how it ended."""

    def __init__(self) -> None:
        self.asked = 0
        self.ending: object = None

    def choose(self, request: Request) -> object:
        self.asked += 1
        return (request.legal[0], "first") if self.asked == 1 else RESIGN

    def end(self, message: dict[str, object]) -> None:
        self.ending = message["result"]


def test_debug_texts_and_resignations_work_as_for_processes() -> None:
    """A tuple carries a debug text, and RESIGN gives the game up."""
    quitter = Quitter()
    result = referee.play(make_spec(), (InProcessPlayer(quitter), InProcessPlayer(reference.make("random"))))
    assert result.moves[0].debug == "first"
    assert (result.winner, result.reason, quitter.ending) == (1, "resign", "loss")
