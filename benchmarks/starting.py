"""What the command line costs before it does anything: `python -m benchmarks.starting --rounds 20`.

Processor time of whole processes, in turns: an interpreter that does nothing, Typer's own hello, and the
arena's help in both languages, that of one command, and the rules of a game.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys

HELLO = """
import typer
app = typer.Typer()

@app.command()
def hello(name: str) -> None:
    print(name)

app()
"""
ARENA = "from arena.cli import main; main()"
COMMANDS = {
    "an interpreter": ("pass",),
    "Typer's hello --help": (HELLO, "--help"),
    "arena --help": (ARENA, "--help"),
    "arena --help, in Chinese": (ARENA, "--help"),
    "arena bot submit --help": (ARENA, "bot", "submit", "--help"),
    "arena game rules heap_nim": (ARENA, "game", "rules", "heap_nim"),
}


def milliseconds(name: str) -> float:
    """Processor time of one process, its system's share too."""
    environment = {**os.environ, "LC_ALL": "zh_TW.UTF-8" if name.endswith("Chinese") else "C.UTF-8"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", *COMMANDS[name]], env=environment, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    """Start everything in turns and print medians, and how many times Typer's hello they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    for name in COMMANDS:  # so that all is in memory
        milliseconds(name)
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, measured in times.items():
            measured.append(milliseconds(name))
    medians = {name: statistics.median(measured) for name, measured in times.items()}
    hello = medians["Typer's hello --help"]
    for name, median in medians.items():
        print(f"{name:28} {median:6.0f} ms  {median / hello:5.2f}")


if __name__ == "__main__":
    main()
