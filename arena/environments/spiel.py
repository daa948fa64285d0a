"""The games as Python games of OpenSpiel.

    import pyspiel, arena.environments.spiel
    game = pyspiel.load_game("bot_arena_GAME(rows=4)")

Importing it registers ``bot_arena_GAME`` for each game that can be told as numbers. Parameters are the game's
own, but for those that are usually left unsaid, which OpenSpiel does not know; a list is written as JSON with
semicolons, as in ``bot_arena_GAME(heaps=[3;4;5])``. Needs ``bot-arena[openspiel]``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from arena.environments.coding import Coding, Floats
from arena.environments.position import Position
from engines.game import Game
from engines.games import all_games, find_game
from workers.core.contract import Policy
from workers.play.policy import policy_of

PREFIX = "bot_arena_"


def _type_of(rules: Game[Any]) -> pyspiel.GameType:
    """What kind of game it is; its parameters with their defaults."""
    return pyspiel.GameType(
        short_name=f"{PREFIX}{rules.name}",
        long_name=f"Bot Arena {rules.name.replace('_', ' ')}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={name: _told(value) for name, value in rules.params.items()},
    )


def _told(value: Any) -> Any:
    """A parameter's value as OpenSpiel has it; a list as text without commas, which divide parameters."""
    return value if isinstance(value, bool | int | str) else json.dumps(value, separators=(";", ":"))


def _read(default: Any, value: Any) -> Any:
    if isinstance(default, bool | int | str):
        return value
    try:
        return json.loads(str(value).replace(";", ","))
    except (ValueError, RecursionError):
        return value  # the game says what is wrong


def _length(rules: Game[Any]) -> int:
    """How many plies a game may have: by its policy, or by its turns, each of which a pass may follow."""
    limit = policy_of(rules, Policy()).max_plies
    turns = rules.most_turns(rules.initial())
    bounds = [each for each in (limit, None if turns is None else 2 * turns) if each is not None]
    return min(bounds)


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """One of the games, its parameters fixed; each game has a class of its own, with its `name`."""

    name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        defaults = find_game(self.name).params
        given = {key: _read(defaults.get(key), value) for key, value in (params or {}).items()}
        rules = find_game(self.name, given)
        self.coding = Coding(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.coding.moves),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_length(rules),
        )
        super().__init__(_type_of(find_game(self.name)), info, dict(params or {}))

    def new_initial_state(self) -> SpielState:
        """The state before the first move."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Any = None
    ) -> Any:
        """The position as text and as an array."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.coding, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]  # as above
    """A game under way."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = Position(game.coding)

    def current_player(self) -> int:
        """Whose turn it is, or that it is over."""
        return pyspiel.PlayerId.TERMINAL if self.position.over else self.position.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal() if player == self.position.seat else []

    def _apply_action(self, action: int) -> None:
        self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return self.position.coding.text(action)

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.position.over is not None

    def returns(self) -> list[float]:
        """1 for who has won, -1 for who has lost."""
        return list(self.position.rewards())

    def __str__(self) -> str:
        game = self.position.coding.game
        return f"{game.draw(self.position.state)}\nseat {game.to_move(self.position.state)} to move"


class Observer:
    """Tells the position; both players see all of it."""

    def __init__(self, coding: Coding, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations here, but {params} came")
        self._coding = coding
        self.tensor: Floats = np.zeros(coding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the position into `tensor`."""
        del player
        self.tensor[:] = self._coding.observation(state.position.state)

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text."""
        del player
        return str(state)


def register() -> None:
    """Register every game that is installed now; those that were before stay as they are."""
    known = set(pyspiel.registered_names())
    for name, row in all_games().items():
        rules = row.rules()
        if rules.every_move() is None or f"{PREFIX}{name}" in known:
            continue
        pyspiel.register_game(_type_of(rules), type(f"SpielGame_{name}", (SpielGame,), {"name": name}))


register()
