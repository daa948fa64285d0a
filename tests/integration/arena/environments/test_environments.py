"""The games as environments, judged by PettingZoo, Gymnasium and OpenSpiel themselves."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.environments.coding import Coding, CodingError
from arena.environments.position import Position
from engines.game import Game, IllegalMoveError
from engines.games import GAMES, find_game
from tests.conformance.test_laws import GOOD
from tests.distributions import connect_four

gymnasium = pytest.importorskip("gymnasium", reason="needs bot-arena[environments]")
pytest.importorskip("pettingzoo", reason="needs bot-arena[environments]")

SMALL: dict[str, Mapping[str, Any]] = {"reversed_reversi": {"size": 6}, "circle_nim": {"rows": 4}}
"""Parameters of games that are long otherwise."""


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Connect Four is installed too."""
    with connect_four(tmp_path_factory.mktemp("installed")):
        yield


@pytest.mark.parametrize("name", [*GAMES, "connect_four"])
def test_petting_zoo_finds_nothing(name: str) -> None:
    """Its test of the interface, and that of seeds, pass for every game."""
    from pettingzoo.test import api_test, seed_test  # noqa: PLC0415 - where it is installed

    from arena.environments import aec  # noqa: PLC0415 - as above

    def made() -> Any:
        return aec.env(name, SMALL.get(name))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it knows dictionaries with masks of its own games only
        api_test(made(), num_cycles=60)
        seed_test(made, num_cycles=10)


def test_a_rectangle_is_told_square_by_square() -> None:
    """Three numbers a square and one for the side to move, and an action a square and one for the pass."""
    coding = Coding(find_game("reversed_reversi", {"size": 5, "rows": 6}))
    assert len(coding.moves) == 31
    assert coding.observation(coding.game.initial()).sum() == 31
    assert "board[5][4]=X" in coding.names


@pytest.mark.parametrize("seat", [0, 1, "both"])
@pytest.mark.parametrize("name", ["heap_nim", "l_game", "connect_four"])
def test_gymnasium_finds_nothing(name: str, seat: Any) -> None:
    """Its checker passes for an agent in either seat, and a made environment plays a game to its end."""
    from gymnasium.utils.env_checker import check_env  # noqa: PLC0415 - where it is installed

    from arena.environments import gym  # noqa: PLC0415 - as above

    gym.register()
    env = gymnasium.make(f"bot_arena/{name}", seat=seat)
    check_env(env.unwrapped, skip_render_check=True)
    observed, told = env.reset(seed=3)
    over = False
    while not over:
        observed, reward, ended, cut, told = env.step(int(np.flatnonzero(observed["action_mask"])[0]))
        over = ended or cut
    assert told["reason"]
    assert reward in {-1, 0, 1}
    assert seat in {told["seat"], "both"}


def test_an_agent_meets_the_player_that_was_asked_for() -> None:
    """A perfect opponent in the seat that is won wins whatever comes; the same seed is the same game."""
    from arena.environments.gym import ArenaEnv  # noqa: PLC0415 - where it is installed

    env = ArenaEnv("heap_nim", opponent="perfect", seat=1)
    plies = []
    for _ in range(2):
        observed, told = env.reset(seed=5)
        reward, over = 0.0, False
        while not over:
            action = int(np.flatnonzero(observed["action_mask"])[-1])
            observed, reward, over, _, told = env.step(np.int64(action))
        assert reward == -1
        plies.append((told["plies"], env.position.state))
    assert plies[0] == plies[1]


def test_an_illegal_action_loses() -> None:
    """In Gymnasium at once; PettingZoo's guard takes the game away too, the raw environment refuses."""
    from arena.environments import aec  # noqa: PLC0415 - where it is installed
    from arena.environments.gym import ArenaEnv  # noqa: PLC0415 - as above

    env = ArenaEnv("reversed_reversi", seat=0)
    env.reset(seed=1)
    assert env.step(np.int64(0))[1:4] == (-1, True, False)
    guarded = aec.env("reversed_reversi")
    guarded.reset()
    guarded.step(0)
    assert guarded.terminations == {"seat_0": True, "seat_1": True}
    assert guarded.rewards["seat_0"] == -1
    raw = aec.raw_env("reversed_reversi", render_mode="ansi")
    raw.reset()
    with pytest.raises(Exception, match="a1"):
        raw.step(0)
    assert raw.render() == raw.coding.game.draw(raw.coding.game.initial())


@pytest.mark.parametrize(
    ("action", "refused"),
    [(-1, IllegalMoveError), (10_000, IllegalMoveError), ("1", TypeError), (1.7, TypeError)],
    ids=str,
)
def test_what_is_no_action_is_not_played(action: Any, refused: type[Exception]) -> None:
    """Neither one counted from the end, nor one beyond it, nor what is no whole number."""
    from arena.environments import aec  # noqa: PLC0415 - where it is installed

    raw = aec.raw_env("heap_nim", {"heaps": [3, 4, 5]})
    raw.reset()
    before = raw.position.state
    with pytest.raises(refused):
        raw.step(action)
    assert raw.position.state == before


@pytest.mark.parametrize("name", [*GAMES, "connect_four"])
def test_no_two_positions_look_the_same(name: str) -> None:
    """Every number of an observation lies between 0 and 1, and has a name; actions are moves, and back."""
    game = find_game(name, SMALL.get(name))
    coding = Coding(game)
    seen: dict[bytes, Any] = {}
    for seed in range(5):
        chance, position = random.Random(seed), Position(coding)
        while not position.over:
            observed = coding.observation(position.state)
            assert observed.dtype == np.float32
            assert 0 <= observed.min() <= observed.max() <= 1
            assert seen.setdefault(observed.tobytes(), position.state) == position.state
            legal = position.legal()
            assert [coding.moves[action] for action in legal] == list(game.legal_moves(position.state))
            assert list(np.flatnonzero(coding.mask(position.state))) == legal
            position.play(chance.choice(legal))
    assert len(set(coding.names)) == coding.size
    for action in range(len(coding.moves)):
        assert coding.actions[game.move_from_text(coding.text(action))] == action


def test_a_game_that_goes_in_circles_is_drawn_as_a_match_is() -> None:
    """A position that came up three times ends it without a winner, which is a termination."""
    from arena.environments import aec  # noqa: PLC0415 - where it is installed

    env = aec.raw_env("rhombic_chess")
    env.reset()
    coding = env.coding

    def play(text: str) -> str:
        env.step(coding.actions[coding.game.move_from_text(text)])
        return "-".join(reversed(text.split("-")))

    for text in ("1", "2", "5", "9", "13", "10", "6", "3", "8", "4"):
        play(text)
    while not env.position.over:
        one = play(coding.text(env.position.legal()[0]))
        left = one.rpartition("-")[2]
        texts = map(coding.text, env.position.legal())
        other = play(next(text for text in texts if not text.endswith(f"-{left}")))
        for text in (one, other):
            play(text)
    assert env.position.over == "repetition"
    assert env.terminations["seat_0"]
    assert not env.truncations["seat_0"]
    assert env.rewards == {"seat_0": 0, "seat_1": 0}


class Untold(type(GOOD)):  # type: ignore[misc]  # a game whose moves are told, and whose positions are not
    """Its numbers have no bounds."""

    def every_move(self) -> tuple[int, ...]:
        return (1, 2)


@pytest.mark.parametrize(("game", "told"), [(GOOD, "does not tell every move"), (Untold(), "left is")])
def test_what_cannot_be_told_as_numbers_is_named(game: Game[Any], told: str) -> None:
    """A game without all of its moves, and a part of a position without bounds."""
    with pytest.raises(CodingError, match=told):
        Coding(game)


SPIEL = Path(__file__).with_name("spiel.py")


def test_open_spiel_finds_nothing() -> None:
    """Its random simulations and playthroughs pass, and its own games agree: in a process of their own."""
    pytest.importorskip("pyspiel", reason="needs bot-arena[openspiel]")
    done = subprocess.run([sys.executable, str(SPIEL)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "all well"
