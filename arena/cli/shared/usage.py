"""What was typed cannot be used: Typer's errors, and pydantic's within them, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from arena.core.words import N_, say

FOREIGN = (
    N_("Missing argument {hint}. Choose from: {choices}"),
    N_("Missing option {hint}. Choose from: {choices}"),
    N_("Missing argument {hint}."),
    N_("Missing option {hint}."),
    N_("Missing command."),
    N_("No such option: {option} (Possible options: {options})"),
    N_("No such option: {option}"),
    N_("No such command {name}. Did you mean {meant}?"),
    N_("No such command {name}."),
    N_("Got unexpected extra argument(s) ({words})"),
    N_("Option {option} does not take a value."),
    N_("Option {option} requires an argument."),
    N_("Invalid value for {hint}: {reason}"),
    N_("Invalid value: {reason}"),
    N_("Value {value} is not a valid {kind}."),
    N_("{value} is not one of {choices}."),
    N_("Input should be a valid integer, unable to parse string as an integer"),
    N_("Input should be a valid number, unable to parse string as a number"),
    N_("Input should be a valid boolean, unable to interpret input"),
    N_("Input should be greater than or equal to {least}"),
    N_("Input should be less than or equal to {most}"),
    N_("Input should be greater than {bound}"),
    N_("Input should be less than {bound}"),
    N_("File {path} does not exist."),
    N_("Path {path} does not exist."),
    N_("Directory {path} does not exist."),
)
"""What Typer and pydantic say in English only; a `reason` is itself one of these."""

PYDANTIC = "Value error, "
"""How pydantic begins what another one has said."""


def told(error: Any) -> Iterator[str]:
    """The lines that explain an error of Typer's: how the command is called, its help, and what is wrong."""
    ctx = getattr(error, "ctx", None)
    if ctx is not None:
        yield ctx.get_usage()
        yield say("Try '{command} --help' for help.", command=ctx.command_path)
        yield ""
    yield say("Error: {reason}", reason=in_our_words(" ".join(error.format_message().split())))


def in_our_words(message: str) -> str:
    """The message in the reader's language, where it is one of those that are known."""
    message = message.removeprefix(PYDANTIC)
    for template in FOREIGN:
        if found := _pattern(template).fullmatch(message):
            values = found.groupdict()
            if "reason" in values:
                values["reason"] = in_our_words(values["reason"])
            return say(template, **values)
    return message


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )
