"""The games as Gymnasium environments: one agent against a player of the arena.

    import gymnasium, arena.environments.gym
    env = gymnasium.make("bot_arena/GAME", opponent="mcts:50", params={"size": 6})

Importing it registers an environment for each game that can be told as numbers. Needs
``bot-arena[environments]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from arena.environments.coding import Coding
from arena.environments.position import DRAWN, LOST, Position
from engines.game import Move, Seat
from engines.games import all_games, find_game
from engines.strategies import find_strategy
from engines.stream import Stream
from workers.core.contract import PLY_LIMIT, Policy

NAMESPACE = "bot_arena"

Observation = dict[str, Any]


class ArenaEnv(gymnasium.Env[Observation, np.int64]):
    """One game after another against `opponent`, a player by name such as ``random`` or ``mcts:50``.

    The agent has the seat `seat`, or with ``"both"`` either, drawn anew for each game. A win is worth 1, a
    loss -1; an illegal action loses, as in a match. The ply limit of a match truncates.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        *,
        params: Mapping[str, Any] | None = None,
        opponent: str = "random",
        seat: Literal[0, 1, "both"] = "both",
        policy: Policy | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Prepare the environment.

        Raises:
            GameError: there is no such game or player, or the game cannot be told as numbers.
        """
        if seat not in (0, 1, "both"):
            raise ValueError(f"seat is 0, 1 or 'both', not {seat!r}")
        rules = find_game(game, params)
        self.coding = Coding(rules)
        self.opponent = find_strategy(opponent, rules)
        self.policy = policy
        self.render_mode = render_mode
        self._wanted = seat
        actions = len(self.coding.moves)
        self.action_space = spaces.Discrete(actions)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (self.coding.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; `seed` decides the seats and what the opponent leaves to chance, from then on."""
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(2))
        self._stream = Stream("gymnasium", int(self.np_random.integers(2**53)))
        self.seat: Seat = (1 if drawn else 0) if self._wanted == "both" else self._wanted
        self.position = Position(self.coding, self.policy)
        self._history: list[Move] = []
        self._let_the_opponent_play()
        return self._observed(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the action, and let the opponent answer."""
        if int(action) not in self.position.legal():
            return self._observed(), LOST, True, False, self._info() | {"reason": "illegal_move"}
        self._play(int(action))
        self._let_the_opponent_play()
        over, cut = self.position.over is not None, self.position.over == PLY_LIMIT
        reward = self.position.rewards()[self.seat] if over else DRAWN
        return self._observed(), reward, over and not cut, cut, self._info()

    def _play(self, action: int) -> None:
        self._history.append(self.coding.moves[action])
        self.position.play(action)

    def _let_the_opponent_play(self) -> None:
        """Play on until it is the agent's turn."""
        while not self.position.over and self.position.seat != self.seat:
            move = self.opponent.choose(self.position.state, self._history, self._stream)
            self._play(self.coding.actions[move])

    def _observed(self) -> Observation:
        mask = np.zeros(len(self.coding.moves), np.int8)
        if not self.position.over:
            mask = self.coding.mask(self.position.state)
        return {"observation": self.coding.observation(self.position.state), "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        told: dict[str, Any] = {"seat": self.seat, "plies": self.position.plies}
        return told | ({"reason": self.position.over} if self.position.over else {})

    def render(self) -> str | None:
        """The board as text."""
        return self.coding.game.draw(self.position.state) if self.render_mode == "ansi" else None


def register() -> None:
    """Register every game that is installed now; those that were before stay as they are."""
    for name, row in all_games().items():
        known = f"{NAMESPACE}/{name}"
        if known not in gymnasium.registry and row.rules().every_move() is not None:
            gymnasium.register(known, entry_point=f"{__name__}:ArenaEnv", kwargs={"game": name})


register()
