"""`arena trf`: tie-breaks and pairings of any tournament that is told by a FIDE tournament report file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.commands import Commands
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import amount, print_json, print_line, print_table
from arena.core.words import N_, say, say_many
from arena.local.files import text_of
from arena.theory.pairing.contract import FormatName

if TYPE_CHECKING:
    from arena.interchange.trf import Report
    from arena.interchange.trf_tournament import ParsedTournament

app = Commands()

File = Annotated[Path, typer.Argument(help="A tournament report: TRF16, with its usual extensions.")]
DUTCH = {"", "FIDE_DUTCH", "FIDE_DUTCH_2025", "FIDE_DUTCH_2026"}
"""How line 192 names the system that pairs here; its rules of 2026 were announced for 2025."""
ACCELERATED = "_BAKU"
"""How it ends where that is accelerated."""
NOT_PAIRED = {
    "240": N_("byes"),
    "250": N_("acceleration"),
    "260": N_("forbidden pairs"),
    "299": N_("points that no result brought"),
    "XXA": N_("acceleration"),
    "XXC": N_("something unknown"),
    "XXP": N_("forbidden pairs"),
}
"""What no format here does, by how lines begin that ask for it; of XXC only those that are not understood."""

SWISS_ORDER = "points,buchholz_cut1,buchholz,sonneborn_berger"
ROUND_ROBIN_ORDER = "points,direct,wins,sonneborn_berger"


class SystemName(StrEnum):
    """Who meets whom, in the formats that a report can tell of."""

    SWISS_DUTCH = FormatName.SWISS_DUTCH
    SWISS = FormatName.SWISS
    ROUND_ROBIN = FormatName.ROUND_ROBIN
    DOUBLE_ROUND_ROBIN = FormatName.DOUBLE_ROUND_ROBIN


SWISS = {SystemName.SWISS_DUTCH, SystemName.SWISS}

System = Annotated[SystemName, typer.Option("--format", help="Who meets whom.")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="What lots are drawn from.")]


@app.command()
def standings(
    file: File,
    *,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,…",
            help=f"The chain [default: {SWISS_ORDER}; in a round robin {ROUND_ROBIN_ORDER}].",
        ),
    ] = None,
    form: System = SystemName.SWISS_DUTCH,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Print the standings with every tie-break; rounds that were not played count as the format has it."""
    from arena.core.errors import InvalidError
    from arena.theory.standings.counted import table_of_rounds

    swiss = form in SWISS
    chain = (order or (SWISS_ORDER if swiss else ROUND_ROBIN_ORDER)).split(",")
    _, told = _read(file)
    try:
        table = table_of_rounds(
            told.entrants,
            told.meetings,
            [name.strip() for name in chain],
            swiss=swiss,
            ratings=dict(told.ratings),
            seed=seed,
        )
    except InvalidError as error:
        raise UsageError(str(error)) from None
    lines = [
        {
            "rank": line.rank,
            "number": line.number,
            "name": told.names[line.number],
            **dict(zip(table.order, line.tie_breaks, strict=True)),
        }
        for line in table.standings
    ]
    if as_json:
        print_json({"rounds": told.played, "order": list(table.order), "items": lines})
        return
    columns = (">rank", ">number", "name", *(f">{name}" for name in table.order))
    rows = [tuple(_shown(value) for value in line.values()) for line in lines]
    played = say_many("{number} round", "{number} rounds", told.played)
    print_table(columns, rows, say("after {played}", played=played))


def _shown(value: object) -> object:
    return amount(value) if isinstance(value, float) else "" if value is None else value


@app.command()
def pair(
    file: File, *, form: System = SystemName.SWISS_DUTCH, seed: Seed = 0, as_json: AsJson = False
) -> None:
    """Print the next round's pairings: the two numbers of a pair, White first, and 0 for a bye.

    The first line is how many pairs there are, as bbpPairings and JaVaFo print it.
    """
    from arena.interchange.trf_tournament import by_line, pairable, tournament_of
    from arena.theory.pairing.format import FormatError
    from arena.theory.pairing.formats import find_format

    report, told = _read(file)
    _refuse_wishes(file, report, form)
    numbers = {player.number: player.number for player in report.players}
    if report.by_line and form in SWISS:
        numbers = dict(enumerate(numbers, start=1))
        told = tournament_of(by_line(report))
    try:
        fmt = find_format(form, _options(form, told))
        pairings = fmt.next_round(pairable(told), told.meetings, told.played + 1, seed)
    except FormatError as error:
        raise UsageError(str(error)) from None
    if pairings is None:
        raise CliError(
            say(
                "the tournament is over after {played}",
                played=say_many("{number} round", "{number} rounds", told.played),
            )
        )
    pairs = [(numbers[each.first], numbers[each.second] if each.second else 0) for each in pairings]
    if as_json:
        print_json({"round": told.played + 1, "pairs": pairs})
        return
    print_line(str(len(pairs)))
    for first, second in pairs:
        print_line(f"{first} {second}")


def _refuse_wishes(file: Path, report: Report, form: SystemName) -> None:
    """Refuse a line that asks for other pairings than are made here."""
    for line in report.other:
        system = line[3:].strip().upper() if line.startswith("192") else ""
        if form is SystemName.SWISS_DUTCH and system.removesuffix(ACCELERATED) not in DUTCH:
            raise UsageError(
                say(
                    "{file} is paired by another system: {what!r}; choose a --format, or take the line out, "
                    "to pair it by the FIDE Dutch rules of 2026",
                    file=file,
                    what=line[:30],
                )
            )
        wish = N_("acceleration") if system.endswith(ACCELERATED) else NOT_PAIRED.get(line[:3])
        if wish:
            raise UsageError(
                say(
                    "{file} asks by {what!r} for {wish}, which is not heeded here; take the line out",
                    file=file,
                    what=line[:30],
                    wish=say(wish),
                )
            )


def _options(form: SystemName, told: ParsedTournament) -> dict[str, Any]:
    if form in {SystemName.ROUND_ROBIN, SystemName.DOUBLE_ROUND_ROBIN}:
        return {}
    if told.rounds is None:
        raise UsageError(say("the file does not say how many rounds there are: give it a line XXR (or 142)"))
    options: dict[str, Any] = {"rounds": told.rounds}
    if form is SystemName.SWISS_DUTCH:
        options["first_colour"] = {"w": "first", "b": "second", None: "lot"}[told.first_colour]
    return options


def _read(file: Path) -> tuple[Report, ParsedTournament]:
    from arena.interchange.errors import FileFormatError
    from arena.interchange.trf import read
    from arena.interchange.trf_tournament import tournament_of

    try:
        report = read(text_of(file))
        return report, tournament_of(report)
    except FileFormatError as error:
        raise UsageError(f"{file}: {error}") from None
