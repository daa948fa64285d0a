"""What a bot has done over all tournaments."""

from __future__ import annotations

from arena.results import careers
from arena.results.careers import Career, Place, Ratings
from arena.schemas.careers import (
    BotRatings,
    CareerGame,
    CareerOpponent,
    CareerOut,
    CareerPlace,
    RatingPoint,
    SumOut,
)
from arena.store.careers import Game, Met
from arena.store.models import Bot
from arena.web.answers.copying import copied
from workers.core.contract import GameSpec


def career_of(bot: Bot, career: Career) -> CareerOut:
    """What the bot did in all."""
    return CareerOut(
        bot=bot.name,
        owner=bot.owner.name,
        games=[copied(SumOut, each) for each in career.sums],
        form=[game_of(each) for each in career.form],
    )


def game_of(game: Game) -> CareerGame:
    """One of its games."""
    return copied(
        CareerGame,
        game,
        game=GameSpec(name=game.game, params=game.params, version=game.game_version),
        match=game.number,
        outcome=careers.outcome(game),
    )


def opponent_of(met: Met) -> CareerOpponent:
    """Whom it has met."""
    return copied(CareerOpponent, met)


def place_of(place: Place) -> CareerPlace:
    """Where it takes part."""
    standing = place.standing
    return copied(
        CareerPlace,
        place.part,
        tournament=place.part.name,
        entries=place.entries,
        rank=standing.rank if standing else None,
        points=standing.points if standing else 0,
        games=standing.games if standing else 0,
    )


def bot_ratings_of(bot: Bot, ratings: Ratings | None) -> BotRatings:
    """How its rating in a game came about; nothing of one that has not played."""
    if ratings is None:
        return BotRatings(bot=bot.name, game=None, forgotten=False, points=[])
    points = [copied(RatingPoint, each) for each in ratings.points]
    return copied(BotRatings, ratings, bot=bot.name, order_dependent=True, points=points)
