"""Every game that can be named: a row for each that is here, and what else is installed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from engines.game import Game, ParameterError, UnknownGameError
from engines.games.circle_nim import CircleNim
from engines.games.heap_nim import HeapNim
from engines.games.l_game import LGame
from engines.games.reversed_reversi import ReversedReversi
from engines.games.rhombic_chess import RhombicChess
from engines.installed import Installed, installed
from engines.plugin import PLAYERS, Compiled, GamePlugin, Player, Solver, load
from engines.presentation import Presentation

BY_POSITION = frozenset({"random", "perfect", "best_response"})
RECORDS = "engines.strategies.algorithms"
ALL_LOST = "engines.strategies.for_people"
PRESENTATION = "engines.presentation"
LIBRARIES = "bots.sdk:rules"

_ROWS = (
    GamePlugin(
        ReversedReversi,
        presentation=f"{PRESENTATION}.reversed_reversi:ReversiPresentation",
        libraries=f"{LIBRARIES}/reversed_reversi",
        bots={
            "group8": Player(
                "group8",
                "a class's depth-5 alpha-beta with its weights, quirks kept",
                "bots.reference.group8",
                only={"size": (8,), "rows": (None,)},
            ),
            "strong": Player(
                "strong",
                "searches as deep as its time allows, solves the last moves",
                "bots.reference.strong",
                only={"rows": (None,)},
            ),
            "champion": Player(
                "champion[:LEVEL]",
                "a program in C that learned from its own games; LEVEL goes from 1, for beginners, to 8",
                "bots.reference.champion",
                only={"size": (4, 6, 8), "rows": (None,)},
                levels=8,
            ),
        },
        kernel=Compiled("engines.kernels.reversed_reversi", (BY_POSITION,), random=500_000, thinking=100_000),
        solver=Solver(
            "engines.solvers.reversed_reversi",
            asks=frozenset({"position"}),
            number="engines.solvers.reversed_reversi:numbering",
            graph="engines.solvers.reversi_play:find_graph",
            packed=({"size": 4, "reversed": True}, {"size": 4, "reversed": False}),
            numbered_by_table=True,
            judge="engines.solvers.endgame:EndingJudge",
            cut="engines.solvers.reversi_work:Work",
        ),
        size="size",
        levels=("random", "mcts:3", "mcts:12", "mcts:24", "mcts:40", "mcts:96", "mcts:192", "mcts:512"),
        exports=frozenset({"ggf"}),
        trainer="engines.strategies.reversi_training:Training",
    ),
    GamePlugin(
        HeapNim,
        presentation=f"{PRESENTATION}.heap_nim:HeapNimPresentation",
        libraries=f"{LIBRARIES}/heap_nim",
        players={
            "xor": Player(
                "xor",
                "the document's rule: leave heaps whose exclusive or is 0",
                "engines.strategies.heap_nim",
            )
        },
        kernel=Compiled(
            "engines.kernels.heap_nim",
            (BY_POSITION | {"xor"},),
            "engines.solvers.heap_nim:fits_a_graph",
            random=2_000_000,
            thinking=500_000,
        ),
        solver=Solver(
            "engines.solvers.heap_nim",
            number="engines.solvers.heap_nim:numbering",
            graph="engines.solvers.heap_nim_graph:find_graph",
            packed=({"misere": False}, {"misere": True}),
            quick=True,
        ),
        plain=20_000,
        size="heaps",
        levels=("random", "mcts:2", "mcts:6", "mcts:16", "mcts:40", "person:70", "person:88", "perfect"),
    ),
    GamePlugin(
        CircleNim,
        presentation=f"{PRESENTATION}.circle_nim:CircleNimPresentation",
        libraries=f"{LIBRARIES}/circle_nim",
        players={
            "random": Player(
                "random",
                "any legal move, each equally likely",
                "engines.strategies.circle_nim",
                "find_random",
            ),
            "algo1": Player(
                "algo1[:RECORDS[:SEED]]",
                "the document's first algorithm: winning records",
                RECORDS,
                "find_first",
            ),
            "algo2": Player(
                "algo2[:WON[/LOST][:SEED]]",
                "the document's second algorithm: winning and losing records",
                RECORDS,
                "find_second",
            ),
            "algo3": Player(
                "algo3[:WON[/LOST][:SEED]]",
                "the document's third algorithm: winning and losing records, then the odd rule",
                RECORDS,
                "find_third",
            ),
            "algo3_vs_hum": Player(
                "algo3_vs_hum[:WON[/LOST][:SEED]]",
                "the third algorithm as the document's program for people has it: all losing records at every"
                " turn",
                ALL_LOST,
            ),
        },
        kernel=Compiled(
            "engines.kernels.circle_nim",
            (BY_POSITION, frozenset({"random", "algo1", "algo2", "algo3"})),
            random=2_000_000,
            thinking=200_000,
        ),
        solver=Solver(
            "engines.solvers.circle_nim",
            asks=frozenset({"probabilities"}),
            number="engines.solvers.circle_nim_response:numbering",
            response="engines.solvers.circle_nim_response:solve",
            packed=tuple({"rows": rows} for rows in range(2, 7)),
            without_response=({"rows": 6},),
        ),
        plain=10_000,
        size="rows",
        levels=("random", "mcts:3", "mcts:10", "mcts:24", "person:70", "person:80", "person:90", "perfect"),
    ),
    GamePlugin(
        LGame,
        presentation=f"{PRESENTATION}.l_game:LGamePresentation",
        libraries=f"{LIBRARIES}/l_game",
        players={
            "learner": Player(
                "learner[:GAMES[:SEED]]",
                "learned from its lost games: goes where, so far, defeat was farthest",
                "engines.strategies.learner",
                reader="read",
            )
        },
        kernel=Compiled("engines.kernels.l_game", (BY_POSITION,), random=50_000, thinking=5_000),
        solver=Solver(
            "engines.solvers.l_game",
            number="engines.solvers.l_game_positions:numbering",
            graph="engines.solvers.l_game_play:find_graph",
            packed=({},),
        ),
        levels=(
            "random",
            "mcts:2",
            "person:0",
            "person:10",
            "person:25",
            "person:45",
            "person:70",
            "perfect",
        ),
    ),
    GamePlugin(
        RhombicChess,
        presentation=f"{PRESENTATION}.rhombic_chess:RhombicChessPresentation",
        libraries=f"{LIBRARIES}/rhombic_chess",
        kernel=Compiled("engines.kernels.rhombic_chess", (BY_POSITION,), random=50_000, thinking=20_000),
        solver=Solver(
            "engines.solvers.rhombic_chess",
            number="engines.solvers.rhombic_positions:numbering",
            graph="engines.solvers.rhombic_play:find_graph",
            packed=({},),
        ),
        levels=("random", "mcts:2", "mcts:4", "mcts:8", "mcts:16", "mcts:32", "mcts:96", "perfect"),
    ),
)

GAMES: dict[str, GamePlugin] = {row.name: row for row in _ROWS}
"""The games that are here, by name."""


def all_games() -> dict[str, GamePlugin]:
    """Every game by name: those that are here, and those that others installed."""
    return {**GAMES, **_others().games}


def faults() -> list[str]:
    """Why games that others installed cannot be used, a sentence each."""
    return list(_others().faults.values())


def find_row(name: str) -> GamePlugin:
    """The row of the game of that name.

    Raises:
        UnknownGameError: there is none, or what is installed under that name cannot be used.
    """
    if name in GAMES:
        return GAMES[name]
    others = _others()
    if name in others.games:
        return others.games[name]
    why = f" ({others.faults[name]})" if name in others.faults else ""
    raise UnknownGameError(
        "there is no game %(game)r; the games are %(games)s%(why)s",
        game=name,
        games=", ".join(sorted(all_games())),
        why=why,
        field="game",
    )


def _others() -> Installed:
    own = {name for row in _ROWS for name in (*row.players, *row.bots)}
    return installed(frozenset(GAMES), frozenset(own - {*PLAYERS}))


def find_presentation(name: str) -> Presentation:
    """How the game of that name is shown; one that is not known here, or has nothing of its own, as any."""
    try:
        reference = find_row(name).presentation
    except UnknownGameError:
        reference = None
    maker: type[Presentation] = load(reference) if reference else Presentation
    return maker(name)


def find_game(name: str, params: Mapping[str, Any] | None = None) -> Game[Any]:
    """The game of that name with those parameters, defaults filled in.

    Raises:
        UnknownGameError: no such game.
        ParameterError: a parameter is unknown, of the wrong kind or out of range.
    """
    rules = find_row(name).rules
    known = [each.name for each in dataclasses.fields(rules)]  # type: ignore[arg-type]  # games are dataclasses
    unknown = sorted(set(params or {}) - set(known))
    if unknown:
        if not known:
            raise ParameterError(
                "%(game)s has no parameter %(unknown)r; it has none", game=name, unknown=unknown[0]
            )
        raise ParameterError(
            "%(game)s has no parameter %(unknown)r; it has %(having)s",
            game=name,
            unknown=unknown[0],
            having=", ".join(known),
        )
    return rules(**(params or {}))
