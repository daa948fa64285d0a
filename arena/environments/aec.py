"""The games as PettingZoo environments, in which agents take turns (AEC).

    from arena.environments import aec
    env = aec.env("GAME", {"size": 6})

An observation has the position as an array (`arena.environments.coding`) and, as is usual there, the mask of
the actions that are legal for who is asked. Needs ``bot-arena[environments]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena.environments.coding import Coding
from arena.environments.position import Position
from engines.games import find_game
from workers.core.contract import PLY_LIMIT, Policy

AGENTS = ("seat_0", "seat_1")
"""Who plays, in the order of moving."""

Observation = dict[str, Any]


def env(
    game: str,
    params: Mapping[str, Any] | None = None,
    *,
    policy: Policy | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """The game with PettingZoo's usual guards: an illegal action loses, one out of order is refused.

    Raises:
        GameError: there is no such game, or it cannot be told as numbers.
    """
    made = raw_env(game, params, policy=policy, render_mode=render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - PettingZoo calls it so, and ships no types
    """The game itself: agents ``seat_0``, who begins, and ``seat_1``.

    A win is worth 1, a loss -1. Ends by the rules terminate, and so does a position that came up too often;
    the ply limit of a match truncates.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "human"],
        "name": "bot_arena",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str,
        params: Mapping[str, Any] | None = None,
        *,
        policy: Policy | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, game, params, policy=policy, render_mode=render_mode)
        super().__init__()
        self.coding = Coding(find_game(game, params))
        self.policy = policy
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"bot_arena_{game}"}  # type: ignore[misc]  # an instance's own
        self.possible_agents = list(AGENTS)
        actions = len(self.coding.moves)
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (self.coding.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(AGENTS, observation)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; nothing in it is left to chance, so `seed` changes nothing."""
        del seed, options
        self.position = Position(self.coding, self.policy)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]

    def observe(self, agent: str) -> Observation:
        """The position, the same for both, and what may be done by who is asked."""
        asked = agent == self.agent_selection and not self.position.over
        mask = np.zeros(len(self.coding.moves), np.int8)
        if asked:
            mask = self.coding.mask(self.position.state)
        return {"observation": self.coding.observation(self.position.state), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is.

        Raises:
            IllegalMoveError: it is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position.play(action)  # type: ignore[arg-type]  # only the dead do nothing
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.position.over:
            cut = self.position.over == PLY_LIMIT
            self.terminations = dict.fromkeys(AGENTS, not cut)
            self.truncations = dict.fromkeys(AGENTS, cut)
            self.rewards = dict(zip(AGENTS, self.position.rewards(), strict=True))
            self.infos = {each: {"reason": self.position.over} for each in AGENTS}
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self.agent_selection = AGENTS[self.position.seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text, or on the terminal."""
        drawn = self.coding.game.draw(self.position.state)
        if self.render_mode == "ansi":
            return drawn
        print(drawn)  # noqa: T201 - what is asked for
        return None

    def close(self) -> None:
        """Nothing is kept open."""
