"""The strength of a bot for Reversi against judges from outside, at equal processor time.

    python -m benchmarks.judge [BOT] [--against JUDGE] [--rule fewest|most] [--games N] [--ms N]
                               [--seed N] [--jobs N] [--record FILE]

BOT is a reference bot, `@champion` unless told. JUDGE is one of

    judge      `peers/reversi_judge.c`, a bot that shares neither code nor weights with any other
    engine     `peers/reversi_engine.c`, of some 300 lines, with weights fitted in the same run, and endings
               solved from 16 empty squares
    rhino[:N]  Debian's `gtp-rhino` of level N, 1 to 5, with its book; only where the most discs win
    @NAME      another reference bot, or another level of the same
    ./PROGRAM  a program that speaks the arena's protocol, as the champion with other weights beside it

An opening is eight random moves after which the champion's search, 18 plies deep, judges neither side better
by more than one disc (`peers/reversi_openings.c`). Each is played from both seats, which makes a pair.

Every player reads its own processor time from every clock, and they wait for each other, so that a busy
machine disturbs nobody (`benchmarks.contest`). Each has `--ms` for a move, of which bots use most. `rhino`
knows no time, and thinks as deep as its level says: choose `--ms` so that both used as much.

Printed are wins, draws and losses, the bot's share of the points with the 95 % interval that pairs give, how
many points the pairs had, and the processor time of both. `--record` writes a line of JSON for each game.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple, TextIO

from arena.theory.statistics.scores import score_estimate
from benchmarks import strength
from benchmarks.contest import ArenaBot, PlainEngine, Played, Player, Rhino, play
from benchmarks.peers.programs import built
from bots.reference import command
from bots.reference.ready import make_ready
from engines.games.reversed_reversi import ReversedReversi

ROOT = Path(__file__).parents[1]
CHAMPION = ROOT / "bots" / "reference" / "champion"
PROGRAM = "reversi_judge"
RULES = ("fewest", "most")
PLIES, DEPTH, LEVEL = 8, 18, 1
"""Moves of an opening; plies of the search that judges it; discs by which no side is better."""

RHINO = 3
"""The level of `rhino` that it has by itself; 4 takes some 200 ms a move, 5 many seconds."""

EXACT = ("-std=gnu17", "-O2", "-ffp-contract=off", f"-I{ROOT / 'engines'}", f"-I{CHAMPION}")
"""Without anything that would round otherwise on another machine."""


class Tools(NamedTuple):
    """What is compiled before games are played."""

    judge: Path
    openings: Path
    clock: Path
    engines: dict[bool, Path]
    """Of the fewest and the most discs, if it plays."""


def compiled(folder: Path, engine_rules: Sequence[str] = (), fit_games: int = strength.FIT_GAMES) -> Tools:
    """The programs, in that folder; the engine for these rules, fitted to so many of its games by each."""
    judge = built(PROGRAM, folder)
    openings = built("reversi_openings", folder, EXACT)
    clock = built("processor_clock", folder, ("-O2", "-shared", "-fPIC"))
    engines = {}
    for rule in engine_rules:
        (place := folder / rule).mkdir()
        game = game_of(rule)
        engines[game.reversed] = strength.build(place, game, fit_games)
    return Tools(judge, openings, clock, engines)


def game_of(rule: str) -> ReversedReversi:
    """The game on 8 by 8 squares by that rule."""
    return ReversedReversi(8, reversed=rule == "fewest")


def level_openings(program: Path, rule: str, count: int, seed: int) -> list[list[str]]:
    """So many openings, the same for the same seed."""
    words = [str(program), rule, str(count), str(PLIES), str(DEPTH), str(LEVEL), str(seed), str(CHAMPION)]
    said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [line.split() for line in said.splitlines()]


def player(name: str, tools: Tools, game: ReversedReversi, seat: int, milliseconds: int) -> Player:
    """The player that `name` describes, started."""
    kind, _, level = name.partition(":")
    if kind == "rhino":
        return Rhino(int(level or RHINO), game, seat)
    if kind == "engine":
        return PlainEngine(tools.engines[game.reversed], game, milliseconds)
    start: Sequence[str | Path] = [tools.judge if name == "judge" else name]
    if name.startswith("@"):
        start = command(name.removeprefix("@"))
    return ArenaBot(start, game, seat, milliseconds, tools.clock)


def one_game(options: Any, tools: Tools, game: ReversedReversi, opening: list[str], seat: int) -> Played:
    """A game of which the bot that is judged has that seat."""
    names = options.bot, options.against
    players = [player(name, tools, game, seat ^ at, options.ms) for at, name in enumerate(names)]
    try:
        return play(game, opening, (players[seat], players[1 - seat]))
    finally:
        for each in players:
            each.end()


def verdict(counts: tuple[int, int, int], pairs: Sequence[int]) -> str:
    """What wins, draws and losses say, and pairs of games by their half points, 0 to 4."""
    share = score_estimate(counts, list(pairs))
    won, drawn, lost = counts
    told = f"95 %: {share.interval.low:.1%} to {share.interval.high:.1%}"
    halves = ", ".join(f"{count} of {half / 2:g}" for half, count in enumerate(pairs) if count)
    return f"{won} won, {drawn} drawn, {lost} lost, {share.mean:.1%} of the points ({told}); pairs: {halves}"


def told(number: int, names: tuple[str, str], seat: int, played: Played) -> str:
    """A game as a line of JSON; `margin` is the first player's, and `said` is by seat."""
    row = {
        "game": number,
        "seats": [names[seat], names[1 - seat]],
        "moves": played.moves,
        "margin": played.margin if seat == 0 else -played.margin,
        "said": [[asdict(turn) for turn in turns] for turns in played.turns],
    }
    return json.dumps(row)


def series(options: Any, rule: str, tools: Tools, record: TextIO | None) -> None:
    """Play by one rule, and print what came of it."""
    game, names = game_of(rule), (options.bot, options.against)
    for name in names:
        if name.startswith("@"):
            make_ready(name.removeprefix("@"), game)
    openings = level_openings(tools.openings, rule, (options.games + 1) // 2, options.seed)
    one = partial(one_game, options, tools, game)
    halves, spent = [], ([], [])  # type: tuple[list[int], tuple[list[float], list[float]]]
    with ThreadPoolExecutor(options.jobs) as threads:
        seats = [number % 2 for number in range(options.games)]
        games = threads.map(one, [openings[number // 2] for number in range(options.games)], seats)
        for number, (seat, played) in enumerate(zip(seats, games, strict=True)):
            margin = played.margin if seat == 0 else -played.margin
            halves.append(1 + (margin > 0) - (margin < 0))
            for side in (0, 1):
                spent[side].extend(turn.seconds for turn in played.turns[seat ^ side])
            if record:
                print(told(number, names, seat, played), file=record, flush=True)
    counts = Counter(halves)
    pairs = Counter(first + second for first, second in zip(halves[::2], halves[1::2], strict=False))
    print(f"{options.bot} against {options.against}, {options.ms} ms, {rule} discs win: ", end="")
    print(verdict((counts[2], counts[1], counts[0]), [pairs[half] for half in range(5)]))
    for name, seconds in zip(names, spent, strict=True):
        print(f"  {name}: {len(seconds)} moves, {sum(seconds):.1f} s of processor time", end="")
        print(f", mean {1000 * mean(seconds):.1f} ms, slowest {1000 * max(seconds):.0f} ms", flush=True)


def main() -> None:
    """Play as the options say."""
    parser = argparse.ArgumentParser(description="Play a bot for Reversi against a judge from outside.")
    parser.add_argument(
        "bot", nargs="?", default="@champion", help="a reference bot or ./PROGRAM (@champion)"
    )
    parser.add_argument(
        "--against", default="judge", help="judge, engine, rhino[:LEVEL], @BOT or ./PROGRAM (judge)"
    )
    parser.add_argument("--games", type=int, default=40, help="by each rule, an even number (40)")
    parser.add_argument("--ms", type=int, default=100, help="time for a move (100)")
    parser.add_argument("--rule", choices=RULES, help="only where so many discs win")
    parser.add_argument("--seed", type=int, default=1, help="decides the openings (1)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (1)")
    parser.add_argument("--record", type=argparse.FileType("w"), help="a file for the games")
    options = parser.parse_args()
    rhino = options.against.startswith("rhino")
    for name in (options.bot, options.against):
        is_program = "/" in name and Path(name).is_file()
        if not (is_program or name in {"judge", "engine"} or name.startswith(("@", "rhino"))):
            parser.error(f"{name} is no player: say judge, engine, rhino[:LEVEL], @BOT or ./PROGRAM")
    if options.games < 2 or options.games % 2:
        parser.error(f"--games must be an even number of at least 2, not {options.games}")
    if rhino and options.rule == "fewest":
        parser.error("rhino plays for the most discs only: leave out --rule, or say --rule most")
    if rhino and not Rhino.PROGRAM.exists():
        parser.error(f"there is no {Rhino.PROGRAM}: install Debian's package grhino")
    with tempfile.TemporaryDirectory() as folder:
        rules = (options.rule,) if options.rule else RULES[rhino:]
        tools = compiled(Path(folder), rules if "engine" in (options.bot, options.against) else ())
        for rule in rules:
            series(options, rule, tools, options.record)


if __name__ == "__main__":
    main()
