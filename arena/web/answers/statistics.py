"""The numbers of one bot in a tournament, of two against each other, and of seats and openings."""

from __future__ import annotations

from arena.results.bot_statistics import BotNumbers, HeadToHead
from arena.schemas import statistics as schemas
from arena.store.models import Entry, Tournament
from arena.theory.standings.balance import Balance, Share
from arena.theory.standings.tally import Tally
from arena.web.answers.copying import copied
from workers.programs.runtimes.languages import plain


def bot_numbers_of(tournament: Tournament, bot: BotNumbers) -> schemas.BotNumbersOut:
    """The numbers of an entry of `tournament`."""
    numbers, version = bot.numbers, bot.entry.version
    by_number = sorted(numbers.opponents.items(), key=lambda item: bot.entries[item[0]].number)
    return schemas.BotNumbersOut(
        tournament=tournament.name,
        bot=version.bot.name,
        owner=version.bot.owner.name,
        version=version.number,
        language=plain(version.language),
        totals=_totals(numbers.total),
        seats=[_totals(each) for each in numbers.seats],
        openings=_openings(tournament, numbers.openings),
        opponents=[
            schemas.OpponentTotals(bot=_name(bot.entries[entry]), totals=_totals(total))
            for entry, total in by_number
        ],
        forfeits=dict(sorted(numbers.faults.items())),
        longest_ms=numbers.longest_ns // 1_000_000,
    )


def head_to_head_of(tournament: Tournament, pair: HeadToHead) -> schemas.HeadToHeadOut:
    """Two entries of `tournament`."""
    return schemas.HeadToHeadOut(
        tournament=tournament.name,
        one=_name(pair.one),
        other=_name(pair.other),
        totals=_totals(pair.numbers.total),
        seats=[_totals(each) for each in pair.numbers.seats],
        openings=_openings(tournament, pair.numbers.openings),
        superiority=pair.superiority,
        rated_superiority=pair.rated,
        games=[
            copied(
                schemas.HeadToHeadGame,
                game,
                points=game.made.half_points / 2,
                score_own=game.made.score_own,
                score_other=game.made.score_other,
            )
            for game in pair.games
        ],
    )


def balance_of(tournament: Tournament, balance: Balance, bots: dict[int, str]) -> schemas.BalanceOut:
    """The audit of `tournament`; `bots` are their names by the numbers of their entries."""
    return schemas.BalanceOut(
        tournament=tournament.name,
        first=_share(balance.total),
        openings=[
            schemas.OpeningShare(opening=number, moves=_moves(tournament, number), first=_share(share))
            for number, share in balance.openings.items()
        ],
        seats=[
            schemas.SeatsOut(bot=bots[number], first=first, second=second)
            for number, (first, second) in balance.seats.items()
        ],
        widest=balance.widest,
    )


def _totals(total: Tally) -> schemas.TotalsOut:
    return copied(schemas.TotalsOut, total, points=total.half_points / 2, wall_ms=total.wall_ns // 1_000_000)


def _share(share: Share) -> schemas.ShareOut:
    """The share to six digits."""
    wins, draws, losses = share.counts
    estimate = share.estimate
    return copied(
        schemas.ShareOut,
        share,
        wins=wins,
        draws=draws,
        losses=losses,
        share=None if estimate is None else round(estimate.mean, 6),
        low=None if estimate is None else round(estimate.interval.low, 6),
        high=None if estimate is None else round(estimate.interval.high, 6),
    )


def _name(entry: Entry) -> str:
    return entry.version.bot.name


def _moves(tournament: Tournament, opening: int) -> list[str]:
    return tournament.opening_moves[opening - 1] if opening else []


def _openings(tournament: Tournament, totals: dict[int, Tally]) -> list[schemas.OpeningTotals]:
    return [
        schemas.OpeningTotals(opening=number, moves=_moves(tournament, number), totals=_totals(total))
        for number, total in totals.items()
    ]
