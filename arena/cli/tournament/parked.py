"""Matches that could not be played: telling whoever watches, and knowing when nothing else is left."""

from __future__ import annotations

from itertools import islice

from arena.cli.shared.failures import CliError
from arena.cli.shared.output import note
from arena.client.errors import BusyError, UnreachableError
from arena.client.http import ArenaClient
from arena.core.terms import MatchState, TournamentState
from arena.core.words import say, say_many
from arena.schemas.tournaments import TournamentOut

NAMED = 5
UNFINISHED = (MatchState.PENDING, MatchState.PUBLISHED, MatchState.RUNNING)


class OnlyParkedError(CliError):
    """A tournament goes no further before the staff decides about its parked matches."""


class ParkedNotice:
    """To be called with a tournament at every look: tells of matches as they are parked."""

    def __init__(self, client: ArenaClient, name: str) -> None:
        self._client = client
        self._name = name
        self._told = 0

    def __call__(self, tournament: TournamentOut) -> None:
        """Tell of more parked matches than before.

        Raises:
            OnlyParkedError: the tournament runs, and nothing but parked matches is left.
        """
        matches = tournament.matches
        parked = matches.get(MatchState.PARKED, 0)
        if parked > self._told:
            note(self._words(parked))
        self._told = parked
        if parked and tournament.state == TournamentState.RUNNING and not any(map(matches.get, UNFINISHED)):
            raise OnlyParkedError(
                say("{name} cannot go on: nothing but parked matches is left", name=self._name)
            )

    def _words(self, count: int) -> str:
        try:
            parked = list(islice(self._client.matches(self._name, MatchState.PARKED), NAMED))
        except (UnreachableError, BusyError):  # the numbers are not worth the watching
            parked = []
        which = ", ".join(f"{m.number} ({say(' against ').join(s.bot for s in m.seats)})" for m in parked)
        more = ", …" if count > len(parked) else ""
        number = parked[0].number if parked else "NUMBER"
        return say(
            "parked, as they could not be played: {matches}: {which}{more}\n  to try "
            "again:  arena tournament retry {name} {number}\n  to do without: arena tournament drop "
            "{name} {number} --reason TEXT",
            matches=say_many("{number} match", "{number} matches", count),
            which=which,
            more=more,
            name=self._name,
            number=number,
        )
