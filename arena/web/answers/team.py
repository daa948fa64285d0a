"""One's own team, in the words of the API and the pages."""

from __future__ import annotations

from collections.abc import Sequence

from arena.results.own_games import OwnGame, Result
from arena.schemas.team import FormOut, OfferOut, OpeningOut, OwnBot, OwnGameOut, TakesPart
from arena.store.models import Bot, Tournament
from arena.submissions import checks
from arena.tournaments.openings import Opening, Standing
from arena.web.answers.bots import version_of
from arena.web.answers.copying import copied
from arena.web.answers.matches import match_of
from workers.core.contract import GameSpec


def own_bots_of(standing: Standing, form: dict[int, list[Result]]) -> list[OwnBot]:
    """The bots of a team with how they stand."""
    return [_own_bot(bot, standing, form[bot.id]) for bot in standing.bots]


def _own_bot(bot: Bot, standing: Standing, form: Sequence[Result]) -> OwnBot:
    newest = next(iter(standing.versions[bot.id]), None)
    return OwnBot(
        name=bot.name,
        newest=version_of(newest) if newest else None,
        code=checks.code_of(newest) if newest else None,
        form=[copied(FormOut, each) for each in form],
        entries=[
            TakesPart(
                tournament=entry.tournament.name,
                title=entry.tournament.title,
                state=entry.tournament.told_state,
                version=entry.version.number,
                left_as=entry.left_as,
            )
            for entry in standing.entries
            if entry.bot_id == bot.id
        ],
    )


def opening_of(opening: Opening) -> OpeningOut:
    """The tournament with what each bot could do there."""
    tournament = opening.tournament
    return OpeningOut(
        tournament=tournament.name,
        title=tournament.title,
        state=tournament.told_state,
        game=game_of(tournament),
        bots=[
            OfferOut(
                bot=offer.bot.name,
                version=offer.version.number if offer.version else None,
                plays=offer.entry.version.number if offer.entry else None,
                obstacle=offer.obstacle,
            )
            for offer in opening.offers
        ],
    )


def own_game_of(own: OwnGame) -> OwnGameOut:
    """The match as its bot sees it."""
    told = match_of(own.match)
    assert told.result is not None  # noqa: S101  (only recorded ones are listed)
    faults = [each.code for each in told.result.forfeits if each.seat == own.seat]
    return OwnGameOut(
        **dict(told),
        tournament=own.match.tournament.name,
        seat=own.seat,
        outcome=own.outcome,
        fault=faults[0] if faults else None,
        recorded_at=told.result.recorded_at,
    )


def game_of(tournament: Tournament) -> GameSpec:
    """What is played in a tournament."""
    return GameSpec(name=tournament.game, params=tournament.params, version=tournament.game_version)
