"""The strength of a bot for Reversi against a judge from outside, at equal time.

    python -m benchmarks.judge [BOT] [--games N] [--ms N] [--rule fewest|most] [--seed N] [--sprt ELO0,ELO1]

BOT is what `arena match run` takes: a file, a folder, a command or @name; `@strong` unless told. The judge is
`peers/reversi_judge.c`, a bot of the arena that shares neither code nor weights with any other. The games
are those of `arena match run`, with its balanced openings, each played from both seats.

Printed for each rule are the bot's share of the points with its 95 % interval, or with `--sprt` the test's
verdict, and the processor time that both used. Both have `--ms` for a move, of which the judge uses 80 %. The
referee's clock stands still while others have the core, but quote no figure that was taken beside other work.
1 if a game was forfeited.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from arena.theory.statistics.scores import score_estimate
from benchmarks.peers.programs import built

PROGRAM = "reversi_judge"
ARENA = Path(sys.executable).with_name("arena")
RULES = ("fewest", "most")


def run(options: argparse.Namespace, rule: str, judge: Path) -> Any:
    """The series by one rule, as `arena match run --json` tells it; bot 0 is the one that is judged."""
    command = [ARENA, "match", "run", options.bot, judge, "--json"]
    command += ["--param", f"reversed={json.dumps(rule == 'fewest')}", "--seed", str(options.seed)]
    command += ["-n", str(options.games), "--openings", str((options.games + 1) // 2)]
    command += ["--time", f"{options.ms}ms"]
    if options.sprt:
        command += ["--sprt", options.sprt]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def verdict(pair: dict[str, Any]) -> str:
    """What the games of a pair of bots, in the keys of `arena match run --json`, say of the first."""
    counts = pair["wins"], pair["draws"], pair["losses"]
    share = score_estimate(counts, pair["pairs"])
    if pair.get("sprt"):
        told = f"{pair['sprt']['verdict']} after {pair['games']} games"
    else:
        told = f"95 %: {share.interval.low:.1%} to {share.interval.high:.1%}"
    won, drawn, lost = counts
    return f"{won} won, {drawn} drawn, {lost} lost, {share.mean:.1%} of the points ({told})"


def main() -> int:
    """Play as the options say."""
    parser = argparse.ArgumentParser(description="Play a bot for Reversi against a judge from outside.")
    parser.add_argument("bot", nargs="?", default="@strong", help="as for `arena match run` (@strong)")
    parser.add_argument("--games", type=int, default=200, help="by each rule, at most 2000 (200)")
    parser.add_argument("--ms", type=int, default=200, help="time for a move (200)")
    parser.add_argument("--rule", choices=RULES, help="only where so many discs win")
    parser.add_argument("--seed", type=int, default=0, help="decides the openings (0)")
    parser.add_argument("--sprt", metavar="ELO0,ELO1", help="end once a test has decided between these")
    options = parser.parse_args()
    forfeits = 0
    with tempfile.TemporaryDirectory() as folder:
        judge = built(PROGRAM, Path(folder))
        for rule in (options.rule,) if options.rule else RULES:
            series = run(options, rule, judge)
            print(f"{options.bot} against the judge, {options.ms} ms, {rule} discs win: ", end="")
            print(verdict(series["pairs"][0]))
            for name, bot in zip((options.bot, "the judge"), series["bots"], strict=True):
                spent = bot["time"]
                mean = spent["cpu_ms"] / spent["answers"]
                print(f"  {name}: {spent['answers']} answers, mean {mean:.1f} ms of processor time", end="")
                print(f", slowest {spent['slowest_ms']:.0f} ms, {bot['forfeits']} forfeits", flush=True)
                forfeits += bot["forfeits"]
    return int(forfeits > 0)


if __name__ == "__main__":
    raise SystemExit(main())
