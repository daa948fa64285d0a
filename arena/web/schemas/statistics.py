"""The numbers of one bot in a tournament, of two against each other, and of seats and openings."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, Field

from arena.results.bot_statistics import BotNumbers, HeadToHead
from arena.store.models import Entry, Tournament
from arena.theory.standings.balance import Balance, Share
from arena.theory.standings.tally import Tally


class TotalsOut(BaseModel):
    """What came of some games, from one bot's side."""

    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int = Field(description="The sum of its own scores (discs) in the games that were played.")
    score_other: int = Field(description="The sum of its opponents' scores in these.")
    wall_ms: int = Field(description="The time it used in all, in milliseconds.")

    @classmethod
    def of(cls, total: Tally) -> Self:
        """The totals in points and milliseconds."""
        return cls(
            games=total.games,
            points=total.half_points / 2,
            wins=total.wins,
            draws=total.draws,
            losses=total.losses,
            forfeits=total.forfeits,
            score_own=total.score_own,
            score_other=total.score_other,
            wall_ms=total.wall_ns // 1_000_000,
        )


class OpeningTotals(BaseModel):
    """What came of the games from one opening."""

    opening: int = Field(description="Its number; 0 is the game's own beginning.")
    moves: list[str]
    totals: TotalsOut


class OpponentTotals(BaseModel):
    """What came of the games against one opponent."""

    bot: str
    totals: TotalsOut


class BotNumbersOut(BaseModel):
    """One bot in a tournament: its results by opponent, seat and opening, its forfeits, and its time."""

    tournament: str
    bot: str
    owner: str
    version: int = Field(description="The version that is entered.")
    language: str
    totals: TotalsOut
    seats: list[TotalsOut] = Field(
        description="Moving first, and moving second, in games that were played.", min_length=2, max_length=2
    )
    openings: list[OpeningTotals]
    opponents: list[OpponentTotals] = Field(description="By the numbers of their entries.")
    forfeits: dict[str, int] = Field(
        description="Its forfeits by their kinds; `walkover` is what was lost without a game."
    )
    longest_ms: int = Field(description="The most time that it used in a game, in milliseconds.")

    @classmethod
    def of(cls, tournament: Tournament, bot: BotNumbers) -> Self:
        """The numbers of an entry of `tournament`."""
        numbers, version = bot.numbers, bot.entry.version
        return cls(
            tournament=tournament.name,
            bot=version.bot.name,
            owner=version.bot.owner.name,
            version=version.number,
            language=version.language,
            totals=TotalsOut.of(numbers.total),
            seats=[TotalsOut.of(each) for each in numbers.seats],
            openings=_openings(tournament, numbers.openings),
            opponents=[
                OpponentTotals(bot=_name(bot.entries[entry]), totals=TotalsOut.of(total))
                for entry, total in sorted(
                    numbers.opponents.items(), key=lambda item: bot.entries[item[0]].number
                )
            ],
            forfeits=dict(sorted(numbers.faults.items())),
            longest_ms=numbers.longest_ns // 1_000_000,
        )


class GameOut(BaseModel):
    """One game of two bots from the side of the first."""

    number: int = Field(description="The match's number.")
    seat: int = Field(description="The first bot's seat: 0 moves first.")
    opening: int
    points: float
    score_own: int
    score_other: int
    played: bool = Field(description="False for what was decided without a game.")


class HeadToHeadOut(BaseModel):
    """Two bots' games with each other; all numbers are the first one's."""

    tournament: str
    one: str
    other: str
    totals: TotalsOut
    seats: list[TotalsOut] = Field(description="Moving first, and moving second.", min_length=2, max_length=2)
    openings: list[OpeningTotals]
    superiority: float | None = Field(
        description="The likelihood that the first is the stronger one by their own games, draws left out."
    )
    rated_superiority: float | None = Field(
        description="The same by the ratings, which all games tell; null with more than 200 bots."
    )
    games: list[GameOut]

    @classmethod
    def of(cls, tournament: Tournament, pair: HeadToHead) -> Self:
        """Two entries of `tournament`."""
        return cls(
            tournament=tournament.name,
            one=_name(pair.one),
            other=_name(pair.other),
            totals=TotalsOut.of(pair.numbers.total),
            seats=[TotalsOut.of(each) for each in pair.numbers.seats],
            openings=_openings(tournament, pair.numbers.openings),
            superiority=pair.superiority,
            rated_superiority=pair.rated,
            games=[
                GameOut(
                    number=game.number,
                    seat=game.seat,
                    opening=game.opening,
                    points=game.made.half_points / 2,
                    score_own=game.made.score_own,
                    score_other=game.made.score_other,
                    played=game.played,
                )
                for game in pair.games
            ],
        )


class ShareOut(BaseModel):
    """What the first seat made; games that both forfeited are left out."""

    games: int
    wins: int
    draws: int
    losses: int
    share: float | None = Field(description="Its points by the mean of a game; null without games.")
    low: float | None = Field(description="From here ...")
    high: float | None = Field(description="... to here reaches the interval of 95 %.")
    lopsided: bool = Field(description="Whether a half lies outside of the interval.")

    @classmethod
    def of(cls, share: Share) -> Self:
        """The share to six digits."""
        wins, draws, losses = share.counts
        estimate = share.estimate
        return cls(
            games=share.games,
            wins=wins,
            draws=draws,
            losses=losses,
            share=None if estimate is None else round(estimate.mean, 6),
            low=None if estimate is None else round(estimate.interval.low, 6),
            high=None if estimate is None else round(estimate.interval.high, 6),
            lopsided=share.lopsided,
        )


class OpeningShare(BaseModel):
    """What the first seat made from one opening."""

    opening: int = Field(description="Its number; 0 is the game's own beginning.")
    moves: list[str]
    first: ShareOut


class SeatsOut(BaseModel):
    """How often one bot had which seat."""

    bot: str
    first: int
    second: int


class BalanceOut(BaseModel):
    """Whether seats and openings were fair, by the games that were played."""

    tournament: str
    first: ShareOut
    openings: list[OpeningShare]
    seats: list[SeatsOut] = Field(description="By the numbers of the entries.")
    widest: int = Field(description="By how many games some bot had one seat more often than the other.")

    @classmethod
    def of(cls, tournament: Tournament, balance: Balance, bots: dict[int, str]) -> Self:
        """The audit of `tournament`; `bots` are their names by the numbers of their entries."""
        return cls(
            tournament=tournament.name,
            first=ShareOut.of(balance.total),
            openings=[
                OpeningShare(opening=number, moves=_moves(tournament, number), first=ShareOut.of(share))
                for number, share in balance.openings.items()
            ],
            seats=[
                SeatsOut(bot=bots[number], first=first, second=second)
                for number, (first, second) in balance.seats.items()
            ],
            widest=balance.widest,
        )


def _name(entry: Entry) -> str:
    return entry.version.bot.name


def _moves(tournament: Tournament, opening: int) -> list[str]:
    return tournament.opening_moves[opening - 1] if opening else []


def _openings(tournament: Tournament, totals: dict[int, Tally]) -> list[OpeningTotals]:
    return [
        OpeningTotals(opening=number, moves=_moves(tournament, number), totals=TotalsOut.of(total))
        for number, total in totals.items()
    ]
