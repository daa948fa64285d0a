"""`arena match show`: recorded matches, listed, drawn, and as pages for a browser."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_table
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.local.annotations import Annotation
    from arena.local.records import AnyRecord, RecordName
    from workers.core.contract import MatchRecord

TIMES = ("wall_ms", "charged_ms", "total_ms")
"""The times of a ply; a simulated game has none."""


class Tag(StrEnum):
    """The languages of pages."""

    ENGLISH = "en"
    CHINESE = "zh-Hant-TW"


def show(
    name: Annotated[str, typer.Argument(metavar="FILE[#N]", help="A record file, and which match of it.")],
    *,
    ply: Annotated[
        int | None,
        typer.Option(metavar="PLY", min=0, help="Only the board after this ply; 0 is the first board."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write the match as a page that opens without any server."),
    ] = None,
    lang: Annotated[Tag, typer.Option(help="The language of that page.")] = Tag.ENGLISH,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --html.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a recorded match board by board; a file with several matches is listed unless one is named.

    Below the boards stands what they were worth, where `arena match annotate` has found that out, or what it
    has estimated.

    With --html it is written as one file for a browser, with its board and all its moves, and nothing else
    of what the bots wrote.
    """
    from arena.cli.match.report import print_match
    from arena.local.annotations import KeptBeside
    from arena.local.records import cut_off, parse_name, read_one, read_records

    named = parse_name(name)
    if torn := cut_off(named.path):
        note(torn)
    if html is not None:
        if ply is not None:
            raise UsageError(say("--html writes the whole match; leave --ply out"))
        _write_page(named, html, lang, force=force, as_json=as_json)
        return
    if named.number is None and ply is None:
        records = list(read_records(named.path))
        if len(records) != 1:
            _list_records(named.path, records, as_json)
            return
    record = read_one(named)
    _check_ply(named, record, ply or 0)
    kept = KeptBeside(named.path, note).find(record)
    print_json(_match_json(record, ply, kept)) if as_json else print_match(record, ply, str(named), kept)


def _check_ply(named: RecordName, record: MatchRecord, ply: int) -> None:
    count = len(record.result.moves)
    if ply > count:
        plies = say_many("{number} ply", "{number} plies", count)
        raise UsageError(say("{named} has {count}, there is no ply {ply}", named=named, count=plies, ply=ply))


def _write_page(named: RecordName, file: Path, lang: Tag, *, force: bool, as_json: bool) -> None:
    from arena.cli.shared.exporting import check_export, write_export
    from arena.core.errors import InvalidError
    from arena.local.records import read_one
    from arena.web.answers.game_file import game_file
    from arena.web.answers.languages import LANGUAGES

    if file.exists() and file.samefile(named.path):
        raise UsageError(say("--html would replace the record itself; name another file"))
    record = read_one(named)
    check_export(file, force=force, as_json=as_json)
    try:
        page = game_file(record, LANGUAGES[lang])
    except InvalidError as error:
        raise UsageError(str(error)) from None
    about = {"bots": [bot.name for bot in record.spec.bots]}
    write_export(iter([page.encode()]), file, about, force=force, as_json=as_json)


def _list_records(path: Path, records: list[AnyRecord], as_json: bool) -> None:
    from arena.local.endings import ending

    rows = [_listed(f"{path}#{number}", record) for number, record in enumerate(records, start=1)]
    if as_json:
        print_json({"matches": rows})
        return
    if not rows:
        note(say("{path} holds no match", path=path))
        return
    columns = ("match", "first", "second", "winner", "reason", ">score", ">plies")
    why = [ending(_game(record), row["reason"]) for record, row in zip(records, rows, strict=True)]
    print_table(columns, list(map(_listed_cells, rows, why)))


def _game(record: AnyRecord) -> str:
    from workers.simulation.contract import GameRecord

    return (record if isinstance(record, GameRecord) else record.spec).game.name


def _listed(name: str, record: AnyRecord) -> dict[str, Any]:
    from arena.local.records import names_of
    from workers.simulation.contract import GameRecord

    result = record if isinstance(record, GameRecord) else record.result
    return {
        "record": name,
        "bots": names_of(record),
        "winner": result.winner,
        "reason": result.reason,
        "score": list(result.score),
        "plies": len(result.moves),
    }


def _listed_cells(row: dict[str, Any], why: str) -> tuple[object, ...]:
    winner = "" if row["winner"] is None else row["bots"][row["winner"]]
    score = f"{row['score'][0]}:{row['score'][1]}"
    return (row["record"], *row["bots"], winner, why, score, row["plies"])


def _match_json(record: MatchRecord, only_ply: int | None, kept: Annotation | None) -> dict[str, Any]:
    from arena.cli.match.report import game_of, is_timed, shown_plies

    game, timed = game_of(record), is_timed(record)
    boards = [{"after": 0, "state": game.state_to_json(game.initial())}]
    for number, (move, used, state) in enumerate(shown_plies(record), start=1):
        ply: dict[str, Any] = {
            "seat": move.seat,
            "move": move.move,
            "asked": move.asked,
            "extension": move.extension,
        }
        times = (move.wall_ns / 1e6, move.charged_ns / 1e6, used / 1e6) if timed else (None, None, None)
        ply |= dict(zip(TIMES, times, strict=True)) | {"debug": move.debug}
        boards.append({"after": number, **ply, "state": game.state_to_json(state)})
    return {
        "spec": record.spec.model_dump(mode="json"),
        "result": record.result.model_dump(mode="json", exclude={"moves"}),
        "plies": boards if only_ply is None else [boards[only_ply]],
        "analysis": kept.analysis if kept else None,
        "estimated": kept.estimated if kept else None,
    }
