"""Options in groups: Typer sees each by itself, the command gets the group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.shared.groups import grouped


@dataclass(frozen=True)
class Clock:
    """Two options, one of which has to be given."""

    move: Annotated[int, typer.Option(help="Time for a move.", min=1)]
    bank: Annotated[int, typer.Option("-b", "--bank", help="A reserve.")] = 5


@dataclass(frozen=True)
class Fine(Clock):
    """One more, beside those of another group."""

    lag: bool = False


app = typer.Typer()


@app.command()
@grouped
def play(name: Annotated[str, typer.Argument()], *, clock: Fine, seed: int = 7) -> None:
    """Play."""
    typer.echo(f"{name} {clock} {seed}")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("red --move 3", "red Fine(move=3, bank=5, lag=False) 7"),
        ("--lag -b 6 --move 3 red --seed 1", "red Fine(move=3, bank=6, lag=True) 1"),
    ],
)
def test_a_command_gets_its_options_as_a_group(typed: str, told: str) -> None:
    """Those that were typed, and the defaults of the others, also of a group that extends one."""
    assert CliRunner().invoke(app, typed.split()).stdout == f"{told}\n"


@pytest.mark.parametrize("typed", ["red", "red --move 0", "red --move x", "red --move 1 --clock 3"])
def test_options_of_a_group_are_checked_like_others(typed: str) -> None:
    """One that is missing, out of range, of another type, or that there is not, is refused."""
    assert CliRunner().invoke(app, typed.split()).exit_code == 2


def test_the_help_names_every_option() -> None:
    """With its own help and default, and not the group."""
    told = CliRunner().invoke(app, ["--help"]).stdout
    assert "Play." in told
    assert all(word in told for word in ("--move", "Time for a move.", "-b", "--bank", "A reserve.", "--lag"))
    assert "--clock" not in told
