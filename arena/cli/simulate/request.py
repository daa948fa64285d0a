"""What was asked of `arena simulate`, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import game_params
from arena.cli.shared.output import note
from arena.cli.shared.progress import following
from arena.core.words import say
from arena.experiments.simulations import make_spec
from arena.local.simulation import simulated_player
from arena.theory.statistics.intervals import Method
from arena.theory.statistics.sprt import Sprt
from arena.theory.statistics.stopping import decided_by, rule_name, stop_at
from engines.game import Game
from engines.games import find_game
from workers.core.contract import Policy
from workers.simulation.contract import CHECK_EVERY, SimulatedPlayer, SimulationSpec
from workers.simulation.prefix import Stop


@dataclass(frozen=True)
class Request:
    """The options as they were typed; `openings` are how many and how long, `policy` repetition and plies.

    `time` is the time control of bots, where it is not the usual one.
    """

    game: str
    params: dict[str, Any]
    players: tuple[str, str]
    games: int
    seed: int
    match: int
    swap: bool
    openings: tuple[int, int]
    policy: tuple[int | None, int | None]
    chunk: int | None
    half_width: float | None
    interval: Method
    confidence: float
    record: Path | None
    record_by: str = "game"
    sprt: Sprt | None = None
    force: bool = False
    time: dict[str, Any] | None = None

    def check(self) -> None:
        """Refuse numbers out of range before anything is begun.

        Raises:
            UsageError: one is.
        """
        if not 0 < self.confidence < 1:
            raise UsageError(
                say(
                    "--confidence lies between 0 and 1, such as 0.95, not {confidence:g}",
                    confidence=self.confidence,
                )
            )
        if self.half_width is not None and not 0 < self.half_width < 0.5:
            raise UsageError(
                say(
                    "--stop-when-ci lies between 0 and 0.5, such as 0.001, not {half_width:g}",
                    half_width=self.half_width,
                )
            )
        if self.sprt is not None and self.half_width is not None:
            raise UsageError(
                say("a simulation ends by --sprt or by --stop-when-ci, not by both; leave out one")
            )
        if self.sprt is not None and not self.swap:
            raise UsageError(say("--sprt looks at pairs of games with seats exchanged: add --swap"))
        if self.chunk and self.record and self.record.suffix == ".parquet":
            raise UsageError(say("FILE.parquet has parts of a size of its own; leave out --chunk"))

    def spec(self) -> SimulationSpec:
        """The simulation asked for.

        Raises:
            UsageError: a player means nothing.
            GameError: the game, a player or the openings are impossible.
        """
        game = find_game(self.game, self.params)
        players = (player_of(self.players[0], game), player_of(self.players[1], game))
        if self.openings[0]:
            note(say("drawing openings"))
        return make_spec(
            game,
            players,
            games=self.games,
            seed=self.seed,
            match=self.match,
            swap=self.swap,
            openings=self.openings,
            policy=Policy(repetition=self.policy[0], max_plies=self.policy[1]),
            record_games=self.record is not None,
        )

    def stop(self, spec: SimulationSpec) -> Stop | None:
        """The stopping rule asked for."""
        if self.sprt is not None:
            return decided_by(spec, self.sprt)
        if self.half_width is None:
            return None
        return stop_at(spec, self.half_width, self.confidence, self.interval)

    def rule(self) -> str:
        """Its name."""
        return rule_name(self.half_width, self.confidence, self.interval, self.sprt)

    @property
    def every(self) -> int:
        """After how many games it is asked again."""
        return CHECK_EVERY if self.sprt is None else self.sprt.every


def player_of(text: str, game: Game[Any]) -> SimulatedPlayer:
    """The player that `text` means: see `simulated_player`."""
    return simulated_player(text, game, following)


def params_of(
    texts: list[str] | None, *, rows: int | None, size: int | None, heaps: str | None
) -> dict[str, Any]:
    """The game's parameters, those with an option of their own among them.

    Raises:
        UsageError: one stands there twice or cannot be read.
    """
    params = game_params(texts)
    given = {"rows": rows, "size": size, "heaps": None if heaps is None else _sizes(heaps)}
    for name, value in given.items():
        if value is None:
            continue
        if name in params:
            raise UsageError(say("the parameter {name!r} is given twice", name=name))
        params[name] = value
    return params


def _sizes(text: str) -> list[int]:
    try:
        return [int(size) for size in text.split(",")]
    except ValueError:
        raise UsageError(
            say("{it!r} is no list of heaps; write their sizes with commas, such as 3,4,5", it=text)
        ) from None
