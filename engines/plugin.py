"""All that a game brings, in one row: what it names works wherever games are played, shown or measured.

Parts that take time to import are named, as ``package.module:name``, and read when they are asked for. Only
the rules must be there: a game without a kernel is played move by move, one without a solver has no perfect
player, one without a presentation is drawn as text.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engines.game import Game

INTERFACE = 2
"""The version of what a row says and of what `Game` and `Presentation` ask for: see decisions 36 and 62."""

FIRST_INTERFACE = 1
"""What a row was written for that names no version, whatever is in use here."""


def load(reference: str) -> Any:
    """What ``package.module:name`` names."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


class Player(NamedTuple):
    """A player that can be named: how it is written, what it does, its module and the class in it.

    A strategy is called with the game and the parameters' texts, and raises `StrategyError` for wrong ones.
    Where making it takes long, `reader` is a function that looks at these texts alone and raises likewise.
    A player that is only a bot has a class `Bot` with ``start(hello)`` and ``choose(request)``. Where it does
    not play with all parameters, `only` has the values that some of them must have, None for not being said.

    A bot with `levels` is a program in C, and `module` the package with its sources and ``*.weights``. It is
    started with its level, from 1 for the weakest to `levels`, which is the usual one, and reads its weights
    from the folder that it lies in.
    """

    form: str
    description: str
    module: str
    maker: str = "find"
    only: Mapping[str, tuple[Any, ...]] | None = None
    levels: int = 0
    reader: str | None = None

    def check(self, game: Any, *parameters: str) -> None:
        """Look whether it takes these parameters, without making more than that needs."""
        if self.reader is None:
            self.make(game, *parameters)
        else:
            load(f"{self.module}:{self.reader}")(*parameters)

    def make(self, *args: Any) -> Any:
        """What its maker makes of the arguments."""
        return load(f"{self.module}:{self.maker}")(*args)


PLAYERS: dict[str, Player] = {
    "random": Player("random", "any legal move, each equally likely", "engines.strategies.random"),
    "perfect": Player(
        "perfect",
        "wins as fast as it can, else draws, else loses as late as it can",
        "engines.strategies.perfect",
        reader="read",
    ),
    "best_response": Player(
        "best_response",
        "wins most against random, and as soon as it can",
        "engines.strategies.best_response",
        reader="read",
    ),
    "person": Player(
        "person[:HINTS]",
        "sees one move ahead, and is told a best move in HINTS of 100 turns",
        "engines.strategies.person",
        reader="read",
    ),
    "mcts": Player(
        "mcts[:PLAYOUTS]",
        "tries its moves out: Monte Carlo tree search with PLAYOUTS a move",
        "engines.strategies.mcts",
    ),
}
"""The strategies of every game; a game may have its own of the same name."""

BOTS: dict[str, Player] = {
    "greedy": Player(
        "greedy", "the best score right after its own move, looking no further", "bots.reference.greedy"
    )
}
"""What plays every game as a process only."""


USUAL_LEVELS = (
    *("random", "mcts:2", "mcts:8", "mcts:24"),
    *("mcts:64", "mcts:128", "mcts:256", "mcts:512"),
)
"""What a person chooses from in a game whose levels nobody has measured."""


class Compiled(NamedTuple):
    """A kernel: a module with `find` and `reasons`, as `engines.kernels` describes them.

    `reasons` are the game's own words for the end of a game that was won and of one that was drawn.
    `together` are sets of players that it plays between each other; `fits` is asked, with the game, whether
    players that are not both random find their tables in memory. `random` and `thinking` are even numbers of
    games that take some tenths of a second, between two random players and between others.
    """

    module: str
    together: tuple[frozenset[str], ...] = ()
    fits: str | None = None
    random: int = 10_000
    thinking: int = 1_000


class Solver(NamedTuple):
    """Exact solutions: a module with `find_oracle`, `all_positions` and `analyse`; see `engines.solvers`.

    `asks` are the further questions that `analyse` takes: ``probabilities``, ``position``. What follows names
    functions of the game: `number` gives how positions are numbered for a best response, `graph` the play
    graph, and `response` finds a best response without one. Reference bots packed as archives bring tables
    for the parameters `packed`; `without_response` are those of them whose best response would be too large.
    With `numbered_by_table` the numbers themselves are read from the table of values. A game that is `quick`
    is solved within seconds whatever its parameters are. `judge` makes a
    `engines.solvers.judging.Judge` of a game, which knows more positions than the oracle does. `cut` names a
    class with the interface of `engines.solvers.reversi_work.Work`: a position solved by work that is cut up.
    """

    module: str
    asks: frozenset[str] = frozenset()
    number: str | None = None
    graph: str | None = None
    response: str | None = None
    packed: tuple[Mapping[str, Any], ...] = ()
    without_response: tuple[Mapping[str, Any], ...] = ()
    numbered_by_table: bool = False
    quick: bool = False
    judge: str | None = None
    cut: str | None = None


@dataclass(frozen=True)
class GamePlugin:
    """A game's row. `rules` say its name, its parameters, its notation and how a terminal draws it.

    `presentation` names a class derived from `engines.presentation.Presentation`. `players` are strategies of
    this game alone, one of which may take the place of a general one; `bots` play it only as processes.
    `plain` is an even number of games move by move that takes some tenths of a second. `size` is the
    parameter that ``arena solve --size`` sets. `levels` are players for people, from level 1 for a beginner
    up; `benchmarks/levels.py` measures how far apart they are. `exports` are further formats that can tell
    of it, such as ``ggf``. `trainer` names a class with the interface of
    `engines.strategies.reversi_training.Training`, by which players learn from self-play. `libraries` are
    the rules to be copied beside a bot, as ``package:folder`` with a folder in it for each language
    (`bots.sdk.libraries`). `interface` is the version that the row was written for, the first where it names
    none.
    """

    rules: type[Game[Any]]
    presentation: str | None = None
    players: Mapping[str, Player] = field(default_factory=dict)
    bots: Mapping[str, Player] = field(default_factory=dict)
    kernel: Compiled | None = None
    solver: Solver | None = None
    plain: int = 200
    size: str | None = None
    levels: tuple[str, ...] = USUAL_LEVELS
    exports: frozenset[str] = frozenset()
    trainer: str | None = None
    libraries: str | None = None
    interface: int = FIRST_INTERFACE

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name
