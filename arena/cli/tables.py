"""A tournament's tables on a terminal."""

from __future__ import annotations

from typing import Any

from arena.cli.output import print_table

LEADERBOARD_COLUMNS = (
    *(">rank", "bot", "owner", ">games", ">points", ">wins", ">draws", ">losses", ">forfeits"),
    *(">direct", ">score", ">time"),
)


def leaderboard_rows(board: dict[str, Any]) -> list[tuple[object, ...]]:
    """The cells of a leaderboard under `LEADERBOARD_COLUMNS`."""
    keys = ("rank", "bot", "owner", "games", "points", "wins", "draws", "losses", "forfeits")
    return [
        (
            *(f"{line[key]:g}" if key == "points" else line[key] for key in keys),
            "" if line["direct"] is None else f"{line['direct']:g}",
            f"{line['score_own']}:{line['score_other']}",
            f"{line['wall_ms'] / 1000:.1f} s",
        )
        for line in board["items"]
    ]


def print_leaderboard(board: dict[str, Any]) -> None:
    """The standings as a table on standard output."""
    title = f"{board['tournament']}: {board['state']}, {board['played']} of {board['matches']} matches played"
    print_table(LEADERBOARD_COLUMNS, leaderboard_rows(board), title)


def print_crosstable(table: dict[str, Any]) -> None:
    """Points of every row's bot against every column's, on standard output."""
    columns = (">rank", "bot", *(f">{row['rank']}" for row in table["items"]), ">points")
    rows = [
        (
            row["rank"],
            row["bot"],
            *("—" if cell is None else f"{cell['points']:g}/{cell['games']}" for cell in row["cells"]),
            f"{row['points']:g}",
        )
        for row in table["items"]
    ]
    print_table(columns, rows, f"{table['tournament']}: {table['state']}")
