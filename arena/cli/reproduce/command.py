"""`arena reproduce`: the documents' numbers beside ours, as a report."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson, Force
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.cli.simulate.command import Where
from arena.core.folder import DataFolder
from arena.core.words import say, say_many
from arena.local.files import write_whole

if TYPE_CHECKING:
    from arena.reproduction.effort import Effort
    from arena.reproduction.findings import Report


AT_ONCE = 8
"""Experiments that wait on the workers at a time, where nobody says how many."""


class Document(StrEnum):
    """What can be reproduced."""

    CIRCLE_NIM = "circle_nim"
    L_GAME = "l_game"
    NIM = "nim"
    RHOMBIC_CHESS = "rhombic_chess"
    REVERSED_REVERSI = "reversed_reversi"
    ALL = "all"


def reproduce(
    *,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder that the report is written to.")
    ] = None,
    publish: Annotated[
        bool, typer.Option("--publish", help="Have the arena of the data folder show it at /reproduction.")
    ] = False,
    document: Annotated[Document, typer.Option(help="Which document.")] = Document.ALL,
    full: Annotated[
        bool, typer.Option("--full", help="Play many more games, for narrower intervals.")
    ] = False,
    million: Annotated[
        bool, typer.Option("--million", help="Also play circle Nim's algorithm 3 with 1,000,000 records.")
    ] = False,
    on: Annotated[
        Where, typer.Option(help="Play circle Nim's games on this machine, or on the arena's workers.")
    ] = Where.HERE,
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="Decides all games.")] = 0,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", metavar="JOBS", min=1, help="Cores to use [default: all].")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Set the seed documents' tables and figures beside our own numbers, with a verdict for each.

    DIR gets report.html, which needs no other file, report.md, report.json, every table as CSV and
    every figure as SVG. A folder that holds anything, such as an older report, is refused without
    --force. With --publish the report takes the place of the one on the same documents that the arena
    showed before.
    """
    from arena.reproduction.files import as_json as told

    folders = _folders(out, document, publish=publish, force=force)
    report = _report(document, _effort(full=full, million=million), on, seed, jobs)
    for folder in folders:
        _write(report, folder)
    if as_json:
        print_json(told(report))
    else:
        _print(report)
        print_line(say("The report: {what}", what=folders[0] / "report.html"))


def _folders(out: Path | None, document: Document, *, publish: bool, force: bool) -> list[Path]:
    """Where the report goes."""
    if out is None and not publish:
        raise UsageError(say("say where the report goes: --out DIR, --publish, or both"))
    if out is not None:
        _make_folder(out, "--out", force=force)
    if not publish:
        return [out] if out else []
    shown = DataFolder.at(None).reproduction / document.value
    _make_folder(shown, "--publish", force=True)
    return [out, shown] if out else [shown]


def _effort(*, full: bool, million: bool) -> Effort:
    from arena.reproduction.effort import DEFAULT, FEW_MILLION_SETS, FULL

    effort = FULL if full else DEFAULT
    return replace(effort, million_sets=FEW_MILLION_SETS) if million and not effort.million_sets else effort


def _report(document: Document, effort: Effort, on: Where, seed: int, jobs: int | None) -> Report:
    from arena.cli.shared.progress import counting
    from arena.documents.inventory import DOCUMENTS
    from arena.reproduction.record_sets import Where as Place
    from arena.reproduction.running import reproduce

    names = tuple(DOCUMENTS) if document is Document.ALL else (document.value,)
    place = Place(seed, jobs or os.cpu_count() or 1)
    if on is Where.WORKERS:
        from arena.cli.reproduce.remote import wins_on_workers

        place = replace(place, jobs=jobs or AT_ONCE, wins=wins_on_workers)
    return reproduce(names, effort, place, counting)


def _make_folder(folder: Path, option: str, *, force: bool) -> None:
    """Make sure of the place before hours are spent."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            say(
                "{option} {folder} is a file; give a folder, which is made if need be",
                option=option,
                folder=folder,
            )
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not force and any(folder.iterdir()):
            raise UsageError(
                say(
                    "{option} {folder} is not empty; name another folder, or add --force",
                    option=option,
                    folder=folder,
                )
            )
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(
            say(
                "{option} {folder} cannot be written to: {strerror}",
                option=option,
                folder=folder,
                strerror=error.strerror,
            )
        ) from None


def _write(report: Report, folder: Path) -> None:
    from arena.reproduction.files import files

    written = 0
    for name, content in files(report):
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                say("{parent} cannot be made: {strerror}", parent=path.parent, strerror=error.strerror)
            ) from None
        write_whole(path, [content], force=True)
        written += 1
    note(
        say(
            "{written} written to {folder}",
            written=say_many("{number} file", "{number} files", written),
            folder=folder,
        )
    )


def _print(report: Report) -> None:
    from arena.documents.inventory import Standing
    from arena.reproduction.findings import Verdict

    columns = ("document", *(f">{verdict}" for verdict in Verdict))
    rows = [(section.title.en, *section.verdicts().values()) for section in report.sections]
    print_table(columns, rows, say("figures by verdict"))
    columns = ("document", *(f">{standing}" for standing in Standing))
    rows = [(section.title.en, *section.standings().values()) for section in report.sections]
    print_table(columns, rows, say("claims by what became of them"))
