"""Running a simulation on this machine, with its journal and the file of its games."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arena.core.words import say, say_many
from arena.experiments.simulations import strategy_player
from arena.local.errors import InputError, LocalError, in_words
from arena.local.game_file import GameFile
from arena.local.game_folder import GameFolder, is_folder_of_games
from arena.local.players import Following, find_player, make_ready
from engines.game import Game
from engines.places import user_folder
from engines.plugin import load
from engines.strategies import players_of, strategies
from workers.sandbox.confinement import Program
from workers.simulation.contract import RowOf, SimulatedPlayer, SimulationSpec, Tally
from workers.simulation.journal import BusyError, Journal
from workers.simulation.prefix import Stop
from workers.simulation.runner import BrokenOffError, simulate

SOLVING = {
    "perfect": "engines.solvers:find_oracle",
    "best_response": "engines.solvers.best_response:find_response",
}
"""What makes the tables of the players that need some."""


class Plan(NamedTuple):
    """What is to be played: `stop` is asked after every `every` games, `rule` is its name.

    `chunk` games are one piece of work; the games are written to `record` where there is one, which `force`
    lets be replaced: a file of lines, or, if its name ends with .parquet, a folder of columns with `rows`.
    """

    spec: SimulationSpec
    rule: str
    stop: Stop | None
    every: int
    chunk: int | None = None
    record: Path | None = None
    rows: RowOf = RowOf.GAME
    force: bool = False


class Ran(NamedTuple):
    """What was played: `played_now` games of all in `seconds`; `trouble` is what ended it before its end.

    `interrupted`: that was who waits for it.
    """

    tally: Tally
    seconds: float
    played_now: int
    stopped: bool
    trouble: str
    interrupted: bool


class Watch(NamedTuple):
    """Who is told: `note` what is to be known, the block of `showing(games, begun)` how many are played."""

    note: Callable[[str], None]
    showing: Callable[[int, int], contextlib.AbstractContextManager[Callable[[int], None]]]


def run(plan: Plan, *, jobs: int | None, folder: Path | None, fresh: bool, watch: Watch) -> Ran:
    """Play what is planned; where it was broken off before, go on from there, unless `fresh`.

    How far it is stands in `folder`, else in the user's folder for what programs keep.

    Raises:
        InputError, GameError: what is planned is impossible.
        LocalError: another process is at the same simulation, or writes the same file.
    """
    with contextlib.ExitStack() as held:
        journal = held.enter_context(_journal(plan, folder, watch.note))
        file: GameFile | GameFolder | None = None
        if plan.record and is_folder_of_games(plan.record):
            file = held.enter_context(GameFolder(plan.record, plan.spec, plan.rows, force=plan.force))
        elif plan.record:
            file = held.enter_context(GameFile(plan.record, plan.spec, force=plan.force))
        begun = _begin(plan.spec, journal, file, fresh=fresh, note=watch.note)
        return _play(plan, journal, file, begun=begun, jobs=jobs, showing=watch.showing)


def _play(
    plan: Plan,
    journal: Journal | None,
    file: GameFile | GameFolder | None,
    *,
    begun: int,
    jobs: int | None,
    showing: Callable[[int, int], contextlib.AbstractContextManager[Callable[[int], None]]],
) -> Ran:
    started = time.monotonic()
    counted, done, stopped, trouble, interrupted = Tally(), begun, False, "", False
    with showing(plan.spec.games, begun) as show:

        def follow(tally: Tally, played: int) -> None:
            nonlocal counted, done
            counted, done = tally, played
            show(played)

        try:
            counted, stopped = simulate(
                plan.spec,
                jobs=jobs,
                chunk=plan.chunk,
                stop=plan.stop,
                every=plan.every,
                journal=journal,
                watch=follow,
                on_lines=file.write if isinstance(file, GameFile) else None,
                parts=file.parts if isinstance(file, GameFolder) else None,
            )
        except KeyboardInterrupt:
            trouble, interrupted = say("interrupted"), True
        except (BrokenOffError, LocalError, OSError) as error:
            trouble = in_words(error)
    if file and not trouble:
        file.finish(counted.games)
    return Ran(counted, time.monotonic() - started, max(0, done - begun), stopped, trouble, interrupted)


def _begin(
    spec: SimulationSpec,
    journal: Journal | None,
    file: GameFile | GameFolder | None,
    *,
    fresh: bool,
    note: Callable[[str], None],
) -> int:
    """How many games were played before; the journal and the file are made to agree."""
    if journal is None or fresh:
        begun = 0
    else:
        prefix = journal.load()
        begun = prefix.games + sum(block.count for block in prefix.waiting.values())
    if journal and journal.trouble:
        note(say("{trouble}; beginning anew", trouble=journal.trouble))
    if file and not _keep(file, begun, journal.recorded if journal and begun else None):
        note(
            say(
                "{part} does not hold what was played before ({games}); beginning anew",
                part=file.part,
                games=say_many("{number:,} game", "{number:,} games", begun),
            )
        )
        begun = 0
        file.keep(0)
    if journal and begun == 0:
        journal.forget()
    if begun:
        note(
            say(
                "going on after {begun:,} of {games} that were played before (--fresh begins anew)",
                begun=begun,
                games=say_many("{number:,} game", "{number:,} games", spec.games),
            )
        )
    return begun


def _keep(file: GameFile | GameFolder, games: int, checksum: int | None) -> bool:
    """Whether the file has the games that the journal knows, as they were written."""
    return file.keep(games, checksum) if isinstance(file, GameFile) else file.keep(games)


@contextlib.contextmanager
def _journal(plan: Plan, folder: Path | None, note: Callable[[str], None]) -> Iterator[Journal | None]:
    """The simulation's journal; none, with a note, where the usual folder cannot be written."""
    try:
        journal = Journal(folder or usual_folder(), plan.spec, plan.rule)
    except BusyError as error:
        raise LocalError(str(error)) from None
    except (OSError, RuntimeError) as error:
        if folder:
            raise InputError(
                say("no journal can be kept in {folder}: {error}", folder=folder, error=error)
            ) from None
        note(
            say("no journal can be kept, so that a run that is broken off cannot go on: {error}", error=error)
        )
        yield None
        return
    with journal:
        yield journal


def simulated_player(text: str, game: Game[Any], following: Following) -> SimulatedPlayer:
    """The player that `text` means: one by name in-process, else a bot's process as in `arena match run`.

    How far its tables are made, `following` is told.

    Raises:
        InputError: neither.
        StrategyError: it is the name of a player, but not of this game or with wrong parameters.
    """
    if text in SOLVING:
        with following(say("solving {name}", name=game.name)) as progress:
            load(SOLVING[text])(game, progress)
    name = text.partition(":")[0]
    if name in players_of(game.name) or name in strategies():
        return strategy_player(text, game)
    try:
        player = find_player(text)
    except InputError as error:
        names = ", ".join(sorted(each.form for each in players_of(game.name).values()))
        raise InputError(
            say(
                "{error}; the players of {name} by name are {names}",
                error=error,
                name=game.name,
                names=names,
            )
        ) from None
    if isinstance(player.command, Program):
        raise InputError(say("{it} has to be built; give a simulation the program that comes of it", it=text))
    make_ready([player], game, following)
    return SimulatedPlayer(name=player.name, command=player.command)


def usual_folder() -> Path:
    """Where journals are kept unless another folder is named."""
    return user_folder("state", "bot-arena") / "simulations"
