"""Commands and groups whose help is in the reader's language, fits the terminal and ends with examples."""

from __future__ import annotations

import copy
import inspect
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from arena.cli.examples import examples
from arena.cli.shared.columns import filled
from arena.core.words import say
from engines.columns import columns_of, padded

MAX_COLUMNS = 80
INDENT = "  "
FIRST_COLUMN = 26
"""What is explained stands in so many columns before the explanation, or else on a line of its own."""
SENTENCE = re.compile(r".+?(?:[.!](?=\s|$)|。|$)")


class Rows(NamedTuple):
    """A heading, and what stands below it with an explanation of each."""

    heading: str
    rows: list[tuple[str, str]]


class Page(NamedTuple):
    """The help of a command: what it is called with, what it does, its parts, and examples of it."""

    usage: str
    paragraphs: list[str]
    sections: list[Rows]
    examples: list[str]


class Commands(typer.Typer):
    """A group of commands of ours."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=Group, add_completion=False, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """As Typer's, with help of ours."""
        return super().command(name, cls=Command, **settings)


class _Helped:
    """What both have of us; for `--help`, and for the line of a usage error."""

    help: str | None

    def get_help(self, ctx: typer.Context) -> str:
        """The whole page, as wide as the terminal, but at most 80 columns."""
        width = min(shutil.get_terminal_size().columns, MAX_COLUMNS)
        return "\n".join(_lines(page_of(ctx), max(width, 40)))

    def get_short_help_str(self, limit: int = 45) -> str:
        """Its first sentence, which is not cut off at the limit."""
        del limit
        return _in_short(self)

    def shell_complete(self, ctx: typer.Context, incomplete: str) -> list[Any]:
        """What may follow, each with its help in the reader's language."""
        found: list[Any] = super().shell_complete(ctx, incomplete)  # type: ignore[misc]  # of the class beside
        for each in found:
            each.help = say(each.help or "")
        return found

    def get_usage(self, ctx: typer.Context) -> str:
        """The first line of it."""
        return say("Usage: {usage}", usage=page_of(ctx).usage)


class Command(_Helped, TyperCommand):  # type: ignore[misc]  # Typer's methods know the context's base only
    """One command."""

    def invoke(self, ctx: Any) -> Any:
        """Run it; what an arena refuses of what it was asked is told by the options that said it."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if faults := getattr(error, "faults", None):
                from arena.cli.shared.refusals import in_options

                error.args = (in_options(faults, self.params),)
            raise


class Group(_Helped, TyperGroup):  # type: ignore[misc]  # as above
    """Some commands below one name; without one of them it says which there are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Print the help where nothing follows, which is an error."""
        if not args and not ctx.resilient_parsing:
            sys.stderr.write(self.get_help(ctx) + "\n")
            raise typer.Exit(2)
        return super().parse_args(ctx, args)


def page_of(ctx: typer.Context) -> Page:
    """The help of the command whose context that is, in the reader's language."""
    command = ctx.command
    pieces = " ".join(command.collect_usage_pieces(ctx))
    sections: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
    for parameter in command.get_params(ctx):
        told: Any = copy.copy(parameter)
        told.help = say(told.help or "")
        if (record := told.get_help_record(ctx)) is not None:
            name, words = record
            sections[told.param_type_name].append((name.removesuffix(" <str>"), words))
    rows = [Rows(say("Arguments:"), sections["argument"]), Rows(say("Options:"), sections["option"])]
    if isinstance(command, TyperGroup):
        found = [(name, _in_short(each)) for name, each in command.commands.items() if not each.hidden]
        rows.append(Rows(say("Commands:"), found))
    return Page(
        f"{ctx.command_path} {pieces}",
        [say(text) for text in paragraphs(command.help)],
        [each for each in rows if each.rows],
        examples(ctx.command_path.partition(" ")[2]),
    )


def paragraphs(text: str | None) -> list[str]:
    """The paragraphs of a docstring, each in one line; what it raises is not the reader's."""
    parts = re.split(r"\n\s*\n", inspect.cleandoc(text or ""))
    return [" ".join(part.split()) for part in parts if part and not part.startswith("Raises:")]


def _in_short(command: Any) -> str:
    told = paragraphs(command.help)
    found = SENTENCE.match(say(told[0])) if told else None
    return found[0] if found else ""


def _lines(page: Page, width: int) -> Iterator[str]:
    head = say("Usage: {usage}", usage="")
    for number, line in enumerate(filled(page.usage, width - columns_of(head))):
        yield " " * columns_of(head) + line if number else head + line
    for paragraph in page.paragraphs:
        yield ""
        yield from (INDENT + line for line in filled(paragraph, width - len(INDENT)))
    for heading, rows in page.sections:
        yield from ("", heading)
        yield from _table(rows, width)
    yield from ("", say("Examples:"))
    yield from (INDENT + line for line in page.examples)


def _table(rows: list[tuple[str, str]], width: int) -> Iterator[str]:
    first = min(max(columns_of(name) for name, _ in rows), FIRST_COLUMN)
    for name, words in rows:
        lines = filled(words, width - first - 2 * len(INDENT)) or [""]
        if columns_of(name) > first:
            narrow = columns_of(name) <= width - len(INDENT)
            shown = [name] if narrow else filled(name.replace("|", "| "), width - len(INDENT))
            yield from (INDENT + line for line in shown)
        else:
            yield (INDENT + padded(name, first) + INDENT + lines.pop(0)).rstrip()
        yield from (" " * (first + 2 * len(INDENT)) + line for line in lines if line)
