"""Connect Four as a game of the arena: the row that its entry point names."""

from bot_arena_connect_four.rules import ConnectFour
from engines.plugin import GamePlugin, Player

CONNECT_FOUR = GamePlugin(
    ConnectFour,
    presentation="bot_arena_connect_four.presentation:ConnectFourPresentation",
    players={
        "central": Player(
            "central",
            "wins or hinders a win where it can, else plays as near to the middle as it can",
            "bot_arena_connect_four.central",
        )
    },
    plain=1_000,
    libraries="bot_arena_connect_four:libraries",
    interface=2,
)
