"""Games that others installed: found by their entry points, or refused with a sentence."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bots.reference import UnknownBotError, find_reference
from bots.reference.pack import archive
from engines.conformance import verdicts
from engines.game import UnknownGameError
from engines.games import GAMES, all_games, faults, find_game, find_presentation, find_row
from engines.kernels import find_kernel
from engines.solvers import SolverError, find_oracle
from engines.strategies import find_strategy, players_of, strategies
from engines.stream import Stream
from tests.distributions import CONNECT_FOUR, ITS_POINT, connect_four, describe, importable
from tests.integration.bots.reference.test_pack import answer_from_an_archive, contents
from workers.programs.archives import canonical_archive

BAD_ROWS = """
from dataclasses import dataclass, replace
from bot_arena_connect_four import CONNECT_FOUR as GOOD
from bot_arena_connect_four.rules import ConnectFour
from engines.plugin import Compiled, GamePlugin, Player

def with_rules(**changes):
    changed = type("Changed", (ConnectFour,), {"name": "other"} | changes)
    return replace(GOOD, rules=dataclass(frozen=True)(changed), players={})

def refuse(self):
    raise ValueError("no")

NOT_A_ROW = ConnectFour
OF_ANOTHER_VERSION = replace(GOOD, interface=3)
THREE_SEATS = with_rules(seats=3)
CHANCE = with_rules(has_chance=True)
HIDDEN = with_rules(has_hidden_information=True)
CALLED_OTHERWISE = GOOD
NO_RULES = replace(GOOD, rules=int)
NOT_BEGUN = with_rules(initial=refuse)
NO_NOTATION = with_rules(notation="")
ODD_CHUNKS = replace(with_rules(), plain=3)
ODD_KERNEL = replace(with_rules(), kernel=Compiled("nowhere", random=1))
PLAYER_OF_ANOTHER = replace(with_rules(), players={"xor": Player("xor", "", "nowhere")})
BOT_OF_ALL = replace(with_rules(), bots={"greedy": Player("greedy", "", "nowhere")})
NO_PRESENTATION = replace(with_rules(), presentation="nowhere:Nothing")
NO_PACKAGE = replace(with_rules(), libraries="nowhere:libraries")
NO_LIBRARIES = replace(with_rules(), libraries="bot_arena_connect_four:other")
"""
BAD = {
    "bad_rows:MISSING": "cannot be read: AttributeError",
    "nowhere:ROW": "cannot be read: ModuleNotFoundError",
    "broken:ROW": "cannot be read: SyntaxError",
    "bad_rows:NOT_A_ROW": "is no engines.plugin.GamePlugin",
    "bad_rows:OF_ANOTHER_VERSION": "version 3 of the interface, and here is 2",
    "bad_rows:THREE_SEATS": "only games of two seats",
    "bad_rows:CHANCE": "without chance",
    "bad_rows:HIDDEN": "without hidden information",
    "bad_rows:CALLED_OTHERWISE": "its rules are called 'connect_four'",
    "bad_rows:NO_RULES": "no dataclass that derives from engines.game.Game",
    "bad_rows:NOT_BEGUN": "cannot be begun: ValueError: no",
    "bad_rows:NO_NOTATION": "lack notation",
    "bad_rows:ODD_CHUNKS": "even number above 0, not 3",
    "bad_rows:ODD_KERNEL": "numbers of games must be even",
    "bad_rows:PLAYER_OF_ANOTHER": "another game has a player 'xor'",
    "bad_rows:BOT_OF_ALL": "another game has a player 'greedy'",
    "bad_rows:NO_PRESENTATION": "its presentation cannot be read: ModuleNotFoundError",
    "bad_rows:NO_PACKAGE": "its libraries cannot be read: ModuleNotFoundError",
    "bad_rows:NO_LIBRARIES": "its libraries cannot be read: bot_arena_connect_four has no folder 'other'",
}


@pytest.fixture
def with_connect_four(tmp_path: Path) -> Iterator[None]:
    """The example distribution is installed."""
    with connect_four(tmp_path):
        yield


@pytest.mark.usefixtures("with_connect_four")
def test_an_installed_game_is_one_among_the_others() -> None:
    """It has its rules, its players and its words, and the bots that play any game play it."""
    assert sorted(all_games()) == sorted([*GAMES, "connect_four"])
    assert not faults()
    game = find_game("connect_four")
    assert game.name == "connect_four"
    assert strategies()["central"] == ("connect_four",)
    assert set(players_of("connect_four")) == {
        "random",
        "perfect",
        "best_response",
        "person",
        "mcts",
        "central",
    }
    assert find_strategy("central", game).choose(game.initial(), (), Stream("test")) == 3
    assert find_reference("central").games == ("connect_four",)
    assert find_presentation("connect_four").title({}).chinese == "四子棋"


@pytest.mark.usefixtures("with_connect_four")
def test_it_does_without_kernel_and_solver() -> None:
    """Nothing is compiled for it, and asking for its solution says that there is none."""
    game = find_game("connect_four")
    assert find_kernel(game, "random", "random") is None
    with pytest.raises(
        SolverError, match="there is no solver for connect_four; there are some for circle_nim"
    ):
        find_oracle(game)


def test_what_is_not_installed_is_not_known() -> None:
    """Without the distribution there is no such game and no such player."""
    with pytest.raises(UnknownGameError, match="there is no game 'connect_four'; the games are circle_nim"):
        find_row("connect_four")
    with pytest.raises(UnknownBotError, match="there is no reference bot 'central'"):
        find_reference("central")


@pytest.mark.parametrize(("value", "why"), BAD.items())
def test_a_bad_game_is_refused_and_breaks_nothing(tmp_path: Path, value: str, why: str) -> None:
    """One sentence tells whose it is and what is wrong with it; what is good beside it works."""
    (tmp_path / "bad_rows.py").write_text(BAD_ROWS)
    (tmp_path / "broken.py").write_text("ROW = (")
    describe(tmp_path, "somebody-s-games", {"other": value} | ITS_POINT)
    with importable(tmp_path, CONNECT_FOUR):
        (fault,) = faults()
        assert fault.startswith("the game 'other' of somebody-s-games cannot be used: ")
        assert why in fault
        assert "\n" not in fault
        assert sorted(all_games()) == sorted([*GAMES, "connect_four"])
        with pytest.raises(
            UnknownGameError, match=r"there is no game 'other'.*somebody-s-games cannot be used"
        ):
            find_game("other")


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (ITS_POINT, "of first and second cannot be used: one name has several games; uninstall all but one"),
        (
            {"heap_nim": ITS_POINT["connect_four"]},
            "'heap_nim' of second cannot be used: a game of that name is",
        ),
    ],
)
def test_one_name_is_one_game(tmp_path: Path, second: Mapping[str, str], why: str) -> None:
    """Of two games of one name neither is taken by chance, and what is here stays what it is."""
    describe(tmp_path, "first", ITS_POINT)
    describe(tmp_path, "second", second)
    with importable(tmp_path, CONNECT_FOUR):
        assert any(why in fault for fault in faults())
        assert find_row("heap_nim") is GAMES["heap_nim"]


def test_nothing_is_looked_up_for_what_is_here() -> None:
    """Whoever plays a game of the arena's own does not wait until all that is installed is looked through."""
    script = (
        "import sys\nfrom engines.games import find_game\n"
        "find_game('heap_nim')\nsys.exit('importlib.metadata' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.usefixtures("with_connect_four")
def test_its_players_are_packed_with_it(tmp_path: Path) -> None:
    """An archive brings the game along to where it is not installed, and can be submitted."""
    answer_from_an_archive("central", find_game("connect_four"), tmp_path)
    files = contents("central").namelist()
    assert "bot_arena_connect_four/presentation.py" in files
    assert not [path for path in files if "__pycache__" in path]
    assert contents("central").read("bot.toml") == b'games = ["connect_four"]\n'
    assert canonical_archive("central.zip", archive("central"))


def test_a_game_for_an_earlier_interface_is_refused(tmp_path: Path) -> None:
    """A row that names no version was written for the first, not for whatever it finds itself beside."""
    (tmp_path / "rows.py").write_text(
        "from bot_arena_connect_four import CONNECT_FOUR as GOOD\n"
        "from engines.plugin import GamePlugin\nROW = GamePlugin(GOOD.rules)\n"
    )
    describe(tmp_path, "early", {"connect_four": "rows:ROW"})
    with importable(tmp_path, CONNECT_FOUR):
        (fault,) = faults()
    assert fault == (
        "the game 'connect_four' of early cannot be used: it was written for version 1 of the interface,"
        " and here is 2; install a release of it for version 2"
    )


@pytest.mark.usefixtures("with_connect_four")
def test_it_keeps_the_laws() -> None:
    """The example is one that others can begin from."""
    assert [verdict for verdict in verdicts(find_game("connect_four")) if verdict.broken] == []
