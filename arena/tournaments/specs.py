"""What a worker is told about a match: everything, and nothing of the database."""

from __future__ import annotations

from arena.store.models import Entry, Match
from engines.game import UnknownGameError
from engines.games import find_row
from engines.stream import conceal, derive
from workers.core.contract import BotRef, GameSpec, Limits, MatchSpec, Policy, TimeControl
from workers.play.policy import policy_of


def match_spec(match: Match) -> MatchSpec:
    """The spec of a match; the same for every attempt."""
    tournament = match.tournament
    drawn = conceal if tournament.conceals_seed else derive
    seeds = (
        drawn(tournament.seed, "match", match.number, 0),
        drawn(tournament.seed, "match", match.number, 1),
    )
    return MatchSpec(
        match=str(match.id),
        game=GameSpec(name=tournament.game, params=tournament.params, version=tournament.game_version),
        bots=(_bot(match.first), _bot(match.second)),
        opening=tuple(match.opening),
        seeds=seeds,
        time=TimeControl.model_validate(tournament.time),
        limits=Limits.model_validate(tournament.limits),
        policy=game_policy(tournament.game),
        reuse=tournament.reuse,
    )


def game_policy(game: str) -> Policy:
    """The policy that the game asks for; a game that is not known here is the worker's to refuse."""
    try:
        return policy_of(find_row(game).rules, Policy())
    except UnknownGameError:
        return Policy()


def _bot(entry: Entry) -> BotRef:
    version = entry.version
    return BotRef(name=version.bot.name, version=version.number, archive=version.archive)
