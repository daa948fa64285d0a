"""What a shell completes beside commands, options and choices: games, and bots that come with the arena."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

Shell = Literal["bash", "zsh", "fish"]
VARIABLE = "_ARENA_COMPLETE"
"""What a shell sets to ask for completions."""
KEEP_SIGNS = "COMP_WORDBREAKS=${COMP_WORDBREAKS//[@:]/}"
"""Bash takes these as the ends of words, and would never see a whole @name:level."""


def games(incomplete: str) -> Iterator[str]:
    """The names of games."""
    from engines.games import all_games

    return (name for name in all_games() if name.startswith(incomplete))


def references(incomplete: str) -> Iterator[str]:
    """Reference bots as commands take them, with their `@`."""
    return (f"@{name}" for name in players(incomplete.removeprefix("@")) if f"@{name}".startswith(incomplete))


def players(incomplete: str) -> Iterator[str]:
    """Reference bots by name, as simulations take them."""
    from bots.reference import known_bots

    return (name for name in known_bots("") if name.startswith(incomplete))


def languages(incomplete: str) -> Iterator[str]:
    """The languages that bots can be begun in."""
    from bots.starters import STARTERS

    return (name for name in STARTERS if name.startswith(incomplete))


def script(shell: Shell) -> str:
    """What that shell is to read once, so that it asks `arena` from then on."""
    from typer._completion_shared import get_completion_script

    told = get_completion_script(prog_name="arena", complete_var=VARIABLE, shell=shell)
    return f"{told}\n{KEEP_SIGNS}" if shell == "bash" else told


def be_ready() -> None:
    """Know the shells, where one of them asks."""
    from typer._completion_classes import completion_init

    completion_init()


def words_typed(environ: Mapping[str, str]) -> list[str]:
    """What stands on the line that is to be completed, without the command's own name."""
    return environ.get("_TYPER_COMPLETE_ARGS", environ.get("COMP_WORDS", "")).split()[1:]
