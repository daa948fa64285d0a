"""Tournament reports as entrants and their meetings, and the other way round.

A meeting of several games is told as one: a win for who made more points of it, a draw where both made the
same, a loss for both where nobody made any. So the points of the file are those of meetings, each counting 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.interchange.errors import FileFormatError
from arena.interchange.trf import BLANK, Cell, Player, Report
from arena.theory.pairing.contract import Entrant, Kind, Meeting

ABSENT = Cell(None, "-", "Z")
PLAYED = {2: "1", 1: "=", 0: "0"}
FORFEITED = {2: "+", 1: "D", 0: "-"}
BYES = {2: "U", 1: "H", 0: "Z"}
HALF_POINTS = {"1": 2, "W": 2, "+": 2, "F": 2, "U": 2, "=": 1, "D": 1, "H": 1}
"""What a result is worth; those that are not here are worth nothing."""
KINDS = {"F": Kind.FULL_BYE, "U": Kind.BYE, "H": Kind.HALF_BYE}
POINT_LINES = ("XXS", "162", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU")
"""How lines begin that set points: JaVaFo's, TRF26's and bbpPairings'."""
STANDARD = (
    dict.fromkeys(("W", "WW", "BW", "FW", "FPB", "PAB", "P", "U"), 1.0)
    | dict.fromkeys(("D", "WD", "BD", "HPB"), 0.5)
    | dict.fromkeys(("L", "WL", "BL", "FL", "ZPB", "A", "Z", "F"), 0.0)
)
"""What their codes are worth where a game is worth 1, ½ or 0."""
_POINTS = re.compile(r"([A-Z]+)[ =]*(\d*\.?\d+)")


@dataclass(frozen=True)
class ParsedTournament:
    """What a report says: entrants, their meetings in `played` rounds, and who is absent in the next one."""

    entrants: tuple[Entrant, ...]
    names: Mapping[int, str]
    ratings: Mapping[int, int]
    meetings: tuple[Meeting, ...]
    played: int
    rounds: int | None
    first_colour: str | None
    absent: frozenset[int]


def single(meeting: Meeting) -> Meeting:
    """The meeting as if it had been one game."""
    mine, theirs = meeting.half_points
    if meeting.second is None:
        half_points = (min(2, mine // meeting.games), 0)
    elif meeting.games == 1:
        return meeting
    elif mine == theirs:
        half_points = (1, 1) if mine else (0, 0)
    else:
        half_points = (2, 0) if mine > theirs else (0, 2)
    return meeting._replace(half_points=half_points, games=1)


def report_of(
    entrants: Sequence[Entrant],
    names: Mapping[int, str],
    meetings: Iterable[Meeting],
    *,
    rounds: int | None = None,
    ranks: Mapping[int, int] | None = None,
) -> Report:
    """The report of a tournament; what it says of the event can be replaced in it.

    A round in which an entrant did not take part is a `Z`; one whose result is not known is blank. Who
    cannot play in the round after the last has a `Z` there, unless the last was the last of `rounds`.

    Raises:
        FileFormatError: an entrant has two meetings in one round.
    """
    cells: dict[int, dict[int, Cell]] = {entrant.number: {} for entrant in entrants}
    half_points = dict.fromkeys(cells, 0)
    played = 0
    for meeting in map(single, meetings):
        played = max(played, meeting.round)
        for number, cell, gained in _sides(meeting):
            if meeting.round in cells[number]:
                raise FileFormatError(
                    f"entrant {number} has two meetings in round {meeting.round}; a TRF has room for one"
                )
            cells[number][meeting.round] = cell
            half_points[number] += gained
    shown = played + (rounds is None or played < rounds)
    players = []
    for entrant in sorted(entrants):
        row = [
            cells[entrant.number].get(each, BLANK if entrant.plays_in(each) else ABSENT)
            for each in range(1, shown + 1)
        ]
        while row and row[-1] == BLANK:
            row.pop()
        players.append(
            Player(
                number=entrant.number,
                name=names.get(entrant.number, ""),
                cells=tuple(row),
                half_points=half_points[entrant.number],
                rank=(ranks or {}).get(entrant.number),
            )
        )
    return Report(players=tuple(players), rounds=rounds, first_colour=_first_colour(players))


def _sides(meeting: Meeting) -> list[tuple[int, Cell, int]]:
    """Each side's number, cell and half points."""
    mine, theirs = meeting.half_points
    if meeting.second is None:
        result = "F" if meeting.kind is Kind.FULL_BYE else BYES[mine]
        return [(meeting.first, Cell(None, "-", result), mine)]
    results = FORFEITED if meeting.kind is Kind.FORFEIT else PLAYED
    return [
        (meeting.first, Cell(meeting.second, "w", results[mine]), mine),
        (meeting.second, Cell(meeting.first, "b", results[theirs]), theirs),
    ]


def _first_colour(players: Iterable[Player]) -> str | None:
    """The colour of the first, third, fifth … of those who were paired in the first round or had its bye."""
    paired = sorted((player.number, player.cells[0].colour) for player in players if _last(player.cells[:1]))
    for at, (_, colour) in enumerate(paired):
        if colour != "-":
            return colour if at % 2 == 0 else {"w": "b", "b": "w"}[colour]
    return None


def tournament_of(report: Report) -> ParsedTournament:
    """What a report says, as formats and tie-breaks want it.

    Rounds before a player's first that is no `Z` or blank are before it joined; later ones are zero point
    byes.

    Raises:
        FileFormatError: points are counted otherwise than by 1, ½ and 0, or do not fit the results.
    """
    for line in report.other:
        if line.startswith(POINT_LINES) and not _standard(line):
            raise FileFormatError(
                f"the line {line[:30]!r} sets other points than 1, ½ and 0, which are not supported"
            )
    rows = {player.number: player.cells for player in report.players}
    played = max((_last(cells) for cells in rows.values()), default=0)
    absent = set(report.absent) | {
        number for number, cells in rows.items() if len(cells) > played and cells[played].result in "ZHF"
    }
    meetings = []
    entrants = []
    for player in report.players:
        joined = _joined(player.cells, played)
        entrants.append(Entrant(player.number, joined))
        for at, cell in enumerate(player.cells[:played], start=1):
            if cell.opponent is None:
                if at >= joined:
                    meetings.append(_bye(player.number, at, cell))
            elif cell.colour == "w" or (cell.colour == "-" and player.number < cell.opponent):
                back = rows[cell.opponent][at - 1]
                meetings.append(_meeting(player.number, at, cell, back))
        meetings.extend(
            _bye(player.number, at, ABSENT) for at in range(max(len(player.cells) + 1, joined), played + 1)
        )
    for player in report.players:
        _check_points(player, played)
    return ParsedTournament(
        entrants=tuple(sorted(entrants)),
        names={player.number: player.name for player in report.players},
        ratings={player.number: player.rating for player in report.players if player.rating is not None},
        meetings=tuple(sorted(meetings, key=lambda meeting: (meeting.round, meeting.first))),
        played=played,
        rounds=report.rounds,
        first_colour=report.first_colour or _first_colour(report.players),
        absent=frozenset(absent),
    )


def _standard(line: str) -> bool:
    """Whether a line that sets points sets them to what they are anyway."""
    told = _POINTS.findall(line[2:] if line.startswith("BB") else line[3:])
    return bool(told) and all(STANDARD.get(code) == float(value) for code, value in told)


def _last(cells: Sequence[Cell]) -> int:
    """The last round in which somebody was paired or given the bye of the odd one out."""
    return max(
        (at for at, cell in enumerate(cells, start=1) if cell.opponent or cell.result == "U"), default=0
    )


def _joined(cells: Sequence[Cell], played: int) -> int:
    here = (at for at, cell in enumerate(cells[:played], start=1) if cell.result not in "Z ")
    return next(here, played + 1)


def _bye(number: int, round_number: int, cell: Cell) -> Meeting:
    gained = HALF_POINTS.get(cell.result, 0)
    return Meeting(round_number, number, None, (gained, 0), kind=KINDS.get(cell.result, Kind.ZERO_BYE))


def _meeting(number: int, round_number: int, cell: Cell, back: Cell) -> Meeting:
    results = cell.result + back.result
    if " " in results:
        raise FileFormatError(
            f"round {round_number}: {number} against {cell.opponent} has no result; only finished rounds are "
            "read"
        )
    gained = (HALF_POINTS.get(cell.result, 0), HALF_POINTS.get(back.result, 0))
    forfeit = "+" in results or "-" in results
    if sum(gained) > 2 or (forfeit and not set(results) <= set("+-")) or set(results) & set("HFUZ"):
        raise FileFormatError(
            f"round {round_number}: {number} has the result {cell.result!r} against {cell.opponent}, who has "
            f"{back.result!r}; the two do not go together"
        )
    kind = Kind.FORFEIT if forfeit else Kind.PLAYED
    return Meeting(round_number, number, cell.opponent, gained, kind=kind)


def _check_points(player: Player, played: int) -> None:
    if player.half_points is None:
        return
    now = sum(HALF_POINTS.get(cell.result, 0) for cell in player.cells[:played])
    after = sum(HALF_POINTS.get(cell.result, 0) for cell in player.cells)
    if player.half_points not in (now, after):
        raise FileFormatError(
            f"player {player.number} has {player.half_points / 2:g} points in columns 81-84, but the results "
            f"make {now / 2:g}; other points than 1, ½ and 0 are not supported"
        )


def by_line(report: Report) -> Report:
    """The report with its players numbered from 1 in the order of their lines."""
    numbers = {player.number: at for at, player in enumerate(report.players, start=1)}
    players = tuple(
        replace(
            player,
            number=numbers[player.number],
            cells=tuple(
                cell._replace(opponent=numbers[cell.opponent]) if cell.opponent else cell
                for cell in player.cells
            ),
        )
        for player in report.players
    )
    absent = tuple(numbers[number] for number in report.absent if number in numbers)
    return replace(report, players=players, absent=absent)


def pairable(told: ParsedTournament) -> tuple[Entrant, ...]:
    """The entrants as the next round sees them: who is absent in it does not play in it."""
    following = told.played + 1
    return tuple(
        entrant._replace(absent=(following,)) if entrant.number in told.absent else entrant
        for entrant in told.entrants
    )
