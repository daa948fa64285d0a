"""What cannot be taken back asks first."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arena.cli.shared.failures import CliError, UsageError
from arena.core.words import say

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def ask_first(what: str, *, yes: bool) -> None:
    """Go on where `--yes` was given, or whoever is at the terminal says so; `what` says what will happen.

    Raises:
        UsageError: there is no terminal to ask at.
        CliError: the answer is no.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(say("{what} Add --yes to do it, as there is no terminal to ask at", what=what))
    if not typer.confirm(say("{what} Go on?", what=what), err=True):
        raise CliError(say("nothing was done"))
