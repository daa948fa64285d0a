"""Games of `strong` against `group8` from random openings, each played from both seats.

    python -m benchmarks.strong_vs_group8 --games 100 --seconds 1

Both bots play in this process, through the same objects that their processes run.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from bots.reference import make
from bots.sdk.arena_bot import Match, Request
from engines.games.reversed_reversi import ReversedReversi
from engines.stream import Stream

GAME = ReversedReversi()
OPENING_PLIES = 6


def opening(number: int, seed: int) -> list[str]:
    """Random legal moves from the start."""
    stream, state, moves = Stream("strong_vs_group8", seed, number), GAME.initial(), []
    for _ in range(OPENING_PLIES):
        move = stream.choice(GAME.legal_moves(state))
        moves.append(GAME.move_to_text(move))
        state = GAME.play(state, move)
    return moves


def hello(seat: int, milliseconds: int) -> dict[str, Any]:
    """What the referee would tell the bot at `seat`."""
    return {
        "game": {"name": GAME.name, "params": GAME.params, "version": GAME.version},
        "seat": seat,
        "seed": 1,
        "time": {"move_ms": milliseconds, "extension_ms": milliseconds, "increment_ms": 0},
    }


def play(
    first: str, second: str, moves: list[str], milliseconds: int
) -> tuple[tuple[int, int], list[list[float]]]:
    """The final discs of both seats, and the seconds of every answer."""
    matches = [Match(hello(seat, milliseconds)) for seat in (0, 1)]
    bots = [make(first), make(second)]
    for bot, match in zip(bots, matches, strict=True):
        bot.start(match.hello)
    state = GAME.initial()
    history: list[str] = []
    spent: list[list[float]] = [[], []]
    while (outcome := GAME.outcome(state)) is None:
        seat = GAME.to_move(state)
        legal = [GAME.move_to_text(move) for move in GAME.legal_moves(state)]
        if len(history) < len(moves):
            text = moves[len(history)]
        elif legal == ["pass"]:
            text = "pass"
        else:
            text, seconds = ask(bots[seat], matches[seat], state, legal, milliseconds)
            spent[seat].append(seconds)
        history.append(text)
        state = GAME.play(state, GAME.move_from_text(text))
    return outcome.score, spent


def ask(bot: Any, match: Match, state: Any, legal: list[str], milliseconds: int) -> tuple[str, float]:
    """A bot's move, and the seconds that it took."""
    ledger = {"move_ms": milliseconds, "extensions_left": 0, "bank_ms": None, "last_ms": 0}
    message = {
        "id": 1,
        "ply": 0,
        "state": GAME.state_to_json(state),
        "legal": legal,
        "history": [],
        "time": ledger,
    }
    start = time.perf_counter()
    choice = bot.choose(Request(message, match))
    seconds = time.perf_counter() - start
    return (choice[0] if isinstance(choice, tuple) else choice), seconds


def main() -> None:
    """Play, and print the score and the times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first game, to share the work out"
    )
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally = {"strong": 0, "group8": 0, "draw": 0}
    times: dict[str, list[float]] = {"strong": [], "group8": []}
    for number in range(options.first, options.first + options.games):
        seats = ("strong", "group8") if number % 2 == 0 else ("group8", "strong")
        score, spent = play(*seats, opening(number // 2, options.seed), round(options.seconds * 1000))
        winner = "draw" if score[0] == score[1] else seats[0 if score[0] < score[1] else 1]
        tally[winner] += 1
        for name, seconds in zip(seats, spent, strict=True):
            times[name] += seconds
        print(f"game {number}: {seats[0]} {score[0]}, {seats[1]} {score[1]}; so far {tally}", flush=True)
    for name, seconds in times.items():
        seconds.sort()
        late = seconds[int(len(seconds) * 0.99)]
        mean = sum(seconds) / len(seconds)
        print(f"{name}: {len(seconds)} moves, mean {mean:.3f} s, 99% {late:.3f} s, most {seconds[-1]:.3f} s")


if __name__ == "__main__":
    main()
