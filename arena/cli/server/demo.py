"""`arena demo`: from bot files to a leaderboard, on a data folder of its own."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line
from arena.core.folder import DataFolder
from arena.core.terms import MatchState, TournamentState
from arena.core.words import say, say_many
from arena.supervisor.defaults import DEFAULT_HOST

if TYPE_CHECKING:
    from arena.core.running import ArenaState
    from arena.schemas.standings import Leaderboard
    from arena.schemas.tournaments import TournamentOut

STALLED_SECONDS = 300.0
ELSEWHERE = (
    *("ARENA_BROKER_URL", "ARENA_BROKER_URL_FILE", "ARENA_DATABASE_URL", "ARENA_DATABASE_URL_FILE"),
    *("ARENA_ARCHIVE_URL", "ARENA_CACHE_DIR", "ARENA_CONFIG"),
)


def demo(
    *,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the arena running at the end.")] = False,
    port: Annotated[
        int | None, typer.Option(metavar="PORT", min=1, max=65535, help="The port [default: a free one].")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Match workers [default: one a core].")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A new or empty folder [default: a temporary one].")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a whole class tournament here, from submitted bot files to the leaderboard.

    Everything is embedded and lies in one folder; a broker or database named in the environment is not used.
    """
    folder = _fresh_folder(data)
    for variable in ELSEWHERE:
        os.environ.pop(variable, None)
    began = time.monotonic()
    with _arena_running(folder, port, workers or os.cpu_count() or 1, keep=keep) as state:
        tournament, board = _play(folder, state)
    seconds = time.monotonic() - began
    if as_json:
        known = {"url": state.url, "data": str(folder.root), "admin_token_file": str(folder.admin_token)}
        print_json(known | {"kept": keep, "seconds": seconds, "tournament": tournament, "leaderboard": board})
    else:
        _print_result(folder, state, board, seconds, keep=keep)


def _fresh_folder(data: Path | None) -> DataFolder:
    if data is None:
        return DataFolder.at(Path(tempfile.mkdtemp(prefix="arena-demo-")))
    if data.exists() and (not data.is_dir() or any(data.iterdir())):
        raise UsageError(say("{data} is in use; the demonstration needs a new or empty folder", data=data))
    return DataFolder.at(data)


@contextlib.contextmanager
def _arena_running(folder: DataFolder, port: int | None, workers: int, *, keep: bool) -> Iterator[ArenaState]:
    """An arena on the folder; it is stopped at the end unless all went well and it shall be kept."""
    from arena.cli.server.service import start_showing_progress
    from arena.supervisor.launch import free_port, stop

    state = start_showing_progress(folder, DEFAULT_HOST, port or free_port(DEFAULT_HOST), workers)
    note(say("the arena is up at {url}, data in {root}", url=state.url, root=folder.root))
    try:
        yield state
    except BaseException as error:
        stop(folder)
        if isinstance(error, KeyboardInterrupt):
            raise CliError(say("interrupted; the arena is stopped")) from None
        raise
    if not keep:
        stop(folder)


def _play(folder: DataFolder, state: ArenaState) -> tuple[TournamentOut, Leaderboard]:
    from arena.cli.tournament.live import watch_live
    from arena.client.http import ArenaClient
    from arena.demo.contest import TOURNAMENT, hold
    from arena.demo.roster import teams

    token = folder.admin_token.read_text(encoding="utf-8").strip()
    hold(state.url, token, teams(), note)
    with ArenaClient(state.url, token) as client:
        tournament = watch_live(client, TOURNAMENT, _alarm(folder))
        if tournament.state != TournamentState.FINISHED:
            raise CliError(say("the tournament ended as {state}", state=tournament.state))
        return tournament, client.leaderboard(TOURNAMENT)


def _alarm(folder: DataFolder) -> Callable[[TournamentOut], None]:
    """A check at every look: processes that keep dying, parked matches and a standstill are the end."""
    from arena.supervisor.arena import failure
    from arena.supervisor.launch import check_children, running_state

    last = {"finished": 0, "at": time.monotonic()}

    def check(tournament: TournamentOut) -> None:
        check_children(folder, running_state(folder))
        matches = tournament.matches
        if matches.get(MatchState.PARKED):
            raise CliError(
                failure(
                    folder,
                    "worker-1",
                    say(
                        "{what} cannot be played",
                        what=say_many("{number} match", "{number} matches", matches[MatchState.PARKED]),
                    ),
                )
            )
        finished = matches.get(MatchState.FINISHED, 0)
        if finished != last["finished"]:
            last.update(finished=finished, at=time.monotonic())
        elif time.monotonic() - last["at"] > STALLED_SECONDS:
            raise CliError(
                failure(
                    folder,
                    "worker-1",
                    say("no match ended for {STALLED_SECONDS:.0f} s", STALLED_SECONDS=STALLED_SECONDS),
                )
            )

    return check


def _print_result(
    folder: DataFolder, state: ArenaState, board: Leaderboard, seconds: float, *, keep: bool
) -> None:
    from arena.cli.tournament.tables import print_leaderboard

    print_leaderboard(board)
    print_line(
        say(
            "{played} between {count} in {seconds:.0f} s.",
            played=say_many("{number} match", "{number} matches", board.played),
            count=say_many("{number} bot", "{number} bots", len(board.items)),
            seconds=seconds,
        )
    )
    if keep:
        print_line(say("Look at {url}/ in a browser, or", url=state.url))
        print_line(say("  export ARENA_DATA_DIR={root}", root=folder.root))
        print_line(say("  arena tournament standings {tournament} --crosstable", tournament=board.tournament))
        print_line(say("  arena status, arena logs, and in the end arena down"))
    else:
        print_line(say("Everything is stopped; to look around: arena up --data {root}", root=folder.root))
