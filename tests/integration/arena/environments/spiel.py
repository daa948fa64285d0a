"""What OpenSpiel says of the games, as a program: it ends with `all well`, or with what differs.

Its own games are the judges: Nim, Connect Four, and Othello for Reversi, whose board begins here as the
mirror image of the usual one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[4]))

import pyspiel
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, minimax

from tests.distributions import connect_four

SIMULATED = (
    "bot_arena_heap_nim",
    "bot_arena_heap_nim(heaps=[1;2;3],misere=true)",
    "bot_arena_circle_nim(rows=4)",
    "bot_arena_reversed_reversi(size=6)",
    "bot_arena_rhombic_chess",
    "bot_arena_l_game",
    "bot_arena_connect_four",
)
PLAYED_THROUGH = (*SIMULATED[:4], "bot_arena_connect_four")
"""Those whose games are short enough for a text of every position."""


def simulate() -> None:
    """OpenSpiel's random simulation test, which compares states, copies, histories and returns."""
    for text in SIMULATED:
        game = pyspiel.load_game(text)
        pyspiel.random_sim_test(
            game, num_sims=1 if text.endswith("l_game") else 3, serialize=False, verbose=False
        )


def play_through() -> None:
    """Its playthrough test: a game that was written down is the same when it is replayed."""
    flags.FLAGS.mark_as_parsed()
    for text in PLAYED_THROUGH:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(generate_playthrough.playthrough(text, None, seed=7))
            file.flush()
            expected, actual = generate_playthrough.replay(file.name)
        assert expected == actual, text


def compare(ours: str, theirs: str, renamed: Callable[[str], str], games: int) -> None:
    """Random games of both at once: the same moves are legal, by their names, and they end alike."""
    one, other = pyspiel.load_game(ours), pyspiel.load_game(theirs)
    chance = random.Random(11)
    for _ in range(games):
        mine, its = one.new_initial_state(), other.new_initial_state()
        while not mine.is_terminal():
            assert not its.is_terminal(), mine
            assert mine.current_player() == its.current_player()
            named = {mine.action_to_string(action): action for action in mine.legal_actions()}
            known = {renamed(its.action_to_string(action)): action for action in its.legal_actions()}
            assert named.keys() == known.keys(), (named, known)
            move = chance.choice(sorted(named))
            mine.apply_action(named[move])
            its.apply_action(known[move])
        assert its.is_terminal(), mine
        assert mine.returns() == its.returns()


def of_nim(text: str) -> str:
    """`pile:2, take:1;` is 2:1."""
    pile, take = (part.partition(":")[2] for part in text.rstrip(";").split(","))
    return f"{pile}:{take}"


def of_connect_four(text: str) -> str:
    """`x3`, columns from 0, is 4."""
    return str(int(text[1:]) + 1)


def of_othello(text: str) -> str:
    """`c4 (x)` is f4 on the mirrored board."""
    square = text.partition(" ")[0]
    return "pass" if square == "pass" else f"{'hgfedcba'['abcdefgh'.index(square[0])]}{square[1]}"


def known() -> None:
    """Values that are known: three rows of circles are lost for who begins, and a copy goes its own way."""
    value, _ = minimax.alpha_beta_search(pyspiel.load_game("bot_arena_circle_nim(rows=3)"))
    assert value == -1
    state: Any = pyspiel.load_game("bot_arena_l_game").new_initial_state()
    copied = state.clone()
    copied.apply_action(copied.legal_actions()[0])
    assert state.history() == []
    assert str(state) != str(copied)


def main() -> None:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder, connect_four(Path(folder)):
        from arena.environments import spiel  # noqa: PLC0415 - once the game is installed

        spiel.register()
        simulate()
        play_through()
        known()
        compare("bot_arena_connect_four", "connect_four", of_connect_four, 30)
        for misere in ("true", "false"):
            theirs = f"nim(pile_sizes=3;4;5,is_misere={misere})"
            compare(f"bot_arena_heap_nim(heaps=[3;4;5],misere={misere})", theirs, of_nim, 50)
        compare("bot_arena_reversed_reversi(reversed=false,size=8)", "othello", of_othello, 10)
    print("all well")  # noqa: T201 - for who runs it


if __name__ == "__main__":
    main()
