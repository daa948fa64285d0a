"""Players that know the rules: from a state to a move, chance drawn from the game's stream.

They play in-process in simulations, and the reference bots of the same names speak for them as processes.
A player is written as its name and, after colons, its parameters: `random`, `perfect`, `algo3:10000:7`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engines.game import Game, GameError, Move, Phrase
from engines.games import all_games, find_row
from engines.plugin import PLAYERS, Player
from engines.stream import Stream

LARGEST_SEED = 2**53 - 1
WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]*")


class StrategyError(GameError):
    """No such player of this game, or its parameters are out of range; the message says what there is."""


class Strategy(Protocol):
    """A player of one game. It keeps nothing between its choices.

    `name` is how it is written with every parameter filled in: equal names play equally.
    """

    name: str

    def choose(self, state: Any, history: Sequence[Move], stream: Stream) -> Move:
        """A legal move in `state`, which the moves of `history` led to from the initial state."""


def players_of(game: str) -> Mapping[str, Player]:
    """The players of the game of that name, those of every game among them.

    Raises:
        UnknownGameError: there is no such game.
    """
    return {**PLAYERS, **find_row(game).players}


def strategies() -> dict[str, tuple[str, ...] | None]:
    """Every player by name, with the games that it plays, None if any."""
    own = {name: (row.name,) for row in all_games().values() for name in row.players}
    return {**own, **dict.fromkeys(PLAYERS)}


def find_strategy(text: str, game: Game[Any]) -> Strategy:
    """The player of `game` that `text` names.

    Raises:
        StrategyError: there is none of that name for this game, or its parameters are wrong.
    """
    player, parameters = _named(text, game)
    strategy: Strategy = player.make(game, *parameters)
    return strategy


def check_strategy(text: str, game: Game[Any]) -> None:
    """Look whether `text` names a player of `game`; one that takes long to be made is not made.

    Raises:
        StrategyError: there is none of that name for this game, or its parameters are wrong.
    """
    player, parameters = _named(text, game)
    player.check(game, *parameters)


def _named(text: str, game: Game[Any]) -> tuple[Player, list[str]]:
    name, *parameters = text.split(":")
    players = players_of(game.name)
    if name not in players:
        forms = ", ".join(sorted(each.form for each in players.values()))
        raise StrategyError(
            "%(game)s has no player %(text)r; there are %(forms)s",
            game=game.name,
            text=text[:40],
            forms=forms,
        )
    return players[name], parameters


def no_parameters(player: str, parameters: Sequence[str]) -> StrategyError:
    """What is raised where a player that takes no parameters is given some."""
    return StrategyError(
        "%(player)s takes no parameters, not %(text)r", player=player, text=":".join(parameters)[:40]
    )


def whole_number(text: str, least: int, most: int, *, what: str, player: str) -> int:
    """The number that `text` writes without sign or leading zeros, so that equal numbers have one text.

    Raises:
        StrategyError: it is none, or out of range; `what` of `player` it is says the message.
    """
    if len(text) > len(str(most)) or not WHOLE_NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise StrategyError(
            "%(what)s of %(player)s is a whole number from %(least)s to %(most)s, not %(text)r",
            what=Phrase(what),
            player=player,
            least=least,
            most=most,
            text=text[:40],
        )
    return int(text)
