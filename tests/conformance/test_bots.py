"""Laws that every reference bot keeps, in this process and as a process, in each of its games."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from bots.reference import REFERENCE, command
from bots.reference.compiling import compile_bot
from bots.reference.ready import make_ready
from engines.game import Game
from engines.games import GAMES, find_game
from engines.solvers.tables import tables_dir
from tests.unit.bots.reference.questions import ask, started, walks_with_moves
from workers.core.contract import BotRef, GameSpec, MatchResult, MatchSpec, TimeControl
from workers.play.match import play_match

PARAMETERS: dict[str, dict[str, Any]] = {"reversed_reversi": {"size": 8}, "heap_nim": {"heaps": [3, 4, 5]}}
SOLVED: dict[str, dict[str, Any]] = {"reversed_reversi": {"size": 4}}
DETERMINISTIC = [name for name in REFERENCE if name not in {"strong", "champion"}]
"""What these two play depends on how far they get in their time."""

FEWER = {name: f"{name}:500" for name in ("algo1", "algo2", "algo3")}
"""With so few records they start at once."""

SLOW = {("mcts", "l_game"), ("mcts", "rhombic_chess"), ("champion", "reversed_reversi")}
needs_compiler = pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("cc")), reason="no C compiler")
IN_PYTHON = [
    pytest.param(FEWER.get(name, name), game, marks=[pytest.mark.long] * ((name, game) in SLOW))
    for name, bot in REFERENCE.items()
    for game in GAMES
    if bot.plays(game) and not bot.levels
]
IN_C = [
    pytest.param(name, game, marks=[needs_compiler, *[pytest.mark.long] * ((name, game) in SLOW)])
    for name, bot in REFERENCE.items()
    for game in GAMES
    if bot.plays(game) and bot.levels
]
ALL: list[Any] = [each.values for each in IN_PYTHON + IN_C]
FIRST = dict(reversed(ALL))
"""The first game of each bot, with which it is started as a process in the short run too."""
AS_PROCESSES = [
    pytest.param(name, game, marks=[*each.marks, *[pytest.mark.long] * (game != FIRST[name])])
    for each in IN_PYTHON + IN_C
    for name, game in [each.values]
]


def the_game(name: str, bot: str = "random") -> Game[Any]:
    """The game with the parameters that these laws are tried on, solved where a player needs it."""
    solved = bot in {"perfect", "best_response", "person"}
    game = find_game(name, SOLVED.get(name, {}) if solved else PARAMETERS.get(name, {}))
    make_ready(bot, game)
    return game


def match(game: Game[Any], bots: tuple[str, str], seeds: tuple[int, int]) -> MatchResult:
    """A match between processes."""
    spec = MatchSpec(
        match="law",
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        bots=(BotRef(name=bots[0]), BotRef(name=bots[1])),
        seeds=seeds,
        time=TimeControl(move_ms=50, extensions=100, extension_ms=600_000, startup_ms=600_000),
    )
    folder = tables_dir()
    return play_match(spec, (command(bots[0], folder), command(bots[1], folder)))


def played(result: MatchResult) -> list[str]:
    """The moves of a match."""
    return [record.move for record in result.moves]


@pytest.mark.parametrize(("name", "game_name"), IN_PYTHON)
def test_answers_are_legal_from_both_seats(name: str, game_name: str) -> None:
    """In random positions of every stage the answer is one of the legal moves."""
    game = the_game(game_name, name)
    bot = started(name, game)
    for state, moves in list(walks_with_moves(game, 4))[::5]:
        legal = [game.move_to_text(move) for move in game.legal_moves(state)]
        assert ask(bot, game, state, 50, moves) in legal


@pytest.mark.parametrize(("name", "game_name"), AS_PROCESSES)
def test_a_process_plays_whole_matches_against_the_random_one(name: str, game_name: str) -> None:
    """From both seats, without a fault, saying its name, and with nothing on stderr.

    A deterministic bot and the random one repeat a match move by move where the seeds are the same.
    """
    game = the_game(game_name, name)
    for seat in (0, 1):
        bots = (name, "random") if seat == 0 else ("random", name)
        result = match(game, bots, (5, 6))
        assert result.forfeits == ()
        assert result.seats[seat].bot_name.startswith(name)
        assert result.seats[seat].stderr_head == ""
    if name in DETERMINISTIC:
        assert played(match(game, bots, (5, 6))) == played(result)


def test_other_seeds_make_other_matches() -> None:
    """The random bot does use its seed."""
    game = the_game("reversed_reversi")
    first, second = (match(game, ("random", "random"), seeds) for seeds in ((1, 2), (3, 4)))
    assert played(first) != played(second)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[needs_compiler] * (bot.levels > 0))
        for name, bot in REFERENCE.items()
        if bot.games
    ],
)
def test_another_game_is_refused_at_the_start(name: str) -> None:
    """A bot asked to play what it does not know ends with a clear word on stderr."""
    if REFERENCE[name].levels:
        compile_bot(REFERENCE[name])
    other = next(game for game in GAMES if not REFERENCE[name].plays(game))
    result = match(the_game(other), (name, "random"), (1, 2))
    assert result.reason == "startup"
    assert f"does not know {other}" in result.forfeits[0].stderr_tail
