"""What a worker is told about a game of a scrimmage: the same as of a match."""

from __future__ import annotations

from arena.store.models import BotVersion, Scrimmage, ScrimmageGame
from arena.submissions.reference import PREFIX
from arena.tournaments.specs import game_policy
from engines.stream import derive
from workers.core.contract import BotRef, GameSpec, Limits, MatchSpec, TimeControl


def scrimmage_spec(game: ScrimmageGame) -> MatchSpec:
    """The spec of a game; the same for every attempt."""
    scrimmage = game.scrimmage
    own, other = _bot(scrimmage.version), _opponent(scrimmage)
    seeds = (
        derive(scrimmage.seed, "scrimmage", game.number, 0),
        derive(scrimmage.seed, "scrimmage", game.number, 1),
    )
    return MatchSpec(
        match=str(game.id),
        game=game_of(scrimmage),
        bots=(own, other) if game.seat == 0 else (other, own),
        opening=tuple(game.opening),
        seeds=seeds,
        time=TimeControl.model_validate(scrimmage.time),
        limits=Limits.model_validate(scrimmage.limits),
        policy=game_policy(scrimmage.game),
    )


def game_of(scrimmage: Scrimmage) -> GameSpec:
    """What is played in a scrimmage."""
    return GameSpec(name=scrimmage.game, params=scrimmage.params, version=scrimmage.game_version)


def _opponent(scrimmage: Scrimmage) -> BotRef:
    if scrimmage.opponent is not None:
        return _bot(scrimmage.opponent)
    return BotRef(name=f"{PREFIX}{scrimmage.reference}", archive=scrimmage.archive)


def _bot(version: BotVersion) -> BotRef:
    return BotRef(name=version.bot.name, version=version.number, archive=version.archive)
