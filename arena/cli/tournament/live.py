"""A tournament as it runs: a bar and the standings on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from arena.cli.shared.output import console, make_table, note
from arena.cli.tournament.planning import Arrival
from arena.cli.tournament.tables import leaderboard_columns, leaderboard_rows
from arena.client.errors import ClientError
from arena.client.http import ArenaClient
from arena.client.watching import FINAL_STATES
from arena.core.terms import MatchState
from arena.core.words import say, say_many
from arena.schemas.tournaments import TournamentOut


def watch_live(
    client: ArenaClient,
    name: str,
    check: Callable[[TournamentOut], None] = lambda _: None,
    pause: float = 1.0,
) -> TournamentOut:
    """Show a tournament until it is over; returns it as it then is. `check` is called with it at every look.

    Where standard error is no terminal, a line tells every tenth of the way instead; the end is not told,
    for the standings follow.

    Raises:
        ClientError: the arena does not answer any more.
    """
    if not sys.stderr.isatty():
        return _watch_in_lines(client, name, check, pause)
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console(stderr=True),
    )  # fmt: skip
    task = bar.add_task(name, total=None)
    arrival = Arrival(client, name)
    with Live(bar, console=console(stderr=True), refresh_per_second=4, transient=True) as live:
        for tournament in client.watch(name, pause):
            check(tournament)
            matches = tournament.matches
            bar.update(
                task,
                total=sum(matches.values()) or None,
                completed=matches.get(MatchState.FINISHED, 0),
                description=_describe(tournament),
            )
            if tournament.state not in FINAL_STATES:
                live.update(Group(bar, *arrival.lines(), *_standings(client, name)))
    return tournament


def _watch_in_lines(
    client: ArenaClient, name: str, check: Callable[[TournamentOut], None], pause: float
) -> TournamentOut:
    told = -1
    for last in client.watch(name, pause):
        check(last)
        matches = last.matches
        total = sum(matches.values())
        tenth = 10 * matches.get(MatchState.FINISHED, 0) // total if total else 0
        if tenth != told and last.state not in FINAL_STATES:
            note(
                say(
                    "{last}, {FINISHED} of {total} played",
                    last=_describe(last),
                    FINISHED=matches.get(MatchState.FINISHED, 0),
                    total=say_many("{number} match", "{number} matches", total),
                )
            )
            told = tenth
    return last


def _describe(tournament: TournamentOut) -> str:
    matches = tournament.matches
    more = [
        f"{matches[state]} {state}" for state in (MatchState.RUNNING, MatchState.PARKED) if matches.get(state)
    ]
    return f"{tournament.name}: {', '.join([tournament.state, *more])}"


def _standings(client: ArenaClient, name: str) -> list[Any]:
    try:
        board = client.leaderboard(name)
        return [make_table(leaderboard_columns(board), leaderboard_rows(board))]
    except ClientError:
        return []
