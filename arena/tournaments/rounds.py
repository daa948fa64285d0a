"""Rounds: from what a format says to matches, byes and walkovers in the database.

Rounds that are known in advance are made a few at a time, whenever few matches are left to be played; others
follow when every match of the round before has ended. A proposal is worked out while nobody waits for the
database, and taken only if nothing has changed meanwhile, so that it does no harm to be killed in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.core.errors import InvalidError, Worded
from arena.core.kept_words import kept
from arena.core.terms import Leaving, MatchState, Winner
from arena.store import events
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.models import Bye, Match, Tournament
from arena.store.models.event_types import ByeGiven, RoundPaired, TournamentStuck
from arena.theory.pairing.contract import Entrant, FormatName, Kind, Meeting, Pairing
from arena.theory.pairing.format import Format, FormatError
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.groups import Groups
from arena.theory.pairing.schedule import expand
from arena.theory.standings.counted import GroupOrder
from arena.theory.standings.order import check_order
from arena.tournaments import decisions, heroes, history, totals
from engines.game import GameError
from engines.games import find_game
from workers.programs.serving import needs

AHEAD = 2000
"""So many matches wait to be played, at least, when more rounds have been made in advance."""

FEW = 1000
"""With fewer matches left to be played, more rounds are made."""


class Seat(NamedTuple):
    """An entry as the maker of matches needs it."""

    id: int
    language: str
    left_as: Leaving | None
    annulled: bool


class Question(NamedTuple):
    """What the next round of a tournament of that `revision` depends on; `number` is the round's."""

    tournament_id: int
    revision: int
    number: int
    format: Format
    entrants: Sequence[Entrant]
    meetings: Sequence[Meeting]
    seed: int
    in_advance: bool
    over: bool

    @property
    def is_long(self) -> bool:
        """Whether the answer may take so long that nobody should wait for it."""
        return not (self.in_advance or self.over) and self.format.is_slow(len(self.entrants))


class Proposal(NamedTuple):
    """How that tournament goes on.

    `pairings` is None where the rounds are over, or where they are known in advance and made when taken.
    """

    tournament_id: int
    revision: int
    number: int
    pairings: tuple[Pairing, ...] | None
    in_advance: bool


def format_of(tournament: Tournament) -> Format:
    """The format of a tournament with its options.

    Groups keep the chain that they were made with; those that have none are older than that.

    Raises:
        FormatError: this installation does not know it as it is.
    """
    fmt = find_format(tournament.format, heroes.options_of(tournament), tournament.openings)
    if isinstance(fmt, Groups) and tournament.standings_order:
        return fmt.ordered_by(_group_order(tournament))
    return fmt


def _group_order(tournament: Tournament) -> GroupOrder:
    try:
        game = find_game(tournament.game, tournament.params)
        return GroupOrder(check_order(tournament.standings_order), game.score_sense)
    except InvalidError as error:
        raise FormatError(error.message, **error.values) from None
    except GameError as error:
        raise FormatError(str(error)) from None


def due(session: Session, tournament: Tournament) -> bool:
    """Whether a running tournament wants its next round, or its end."""
    if not match_store.any_in_state(session, tournament, match_store.UNFINISHED):
        return True
    if tournament.all_paired or match_store.count_pending(session, tournament, FEW) >= FEW:
        return False
    return _in_advance(session, tournament, tournament.rounds_paired + 1)


def ask(session: Session, tournament: Tournament) -> Question:
    """What a tournament for which it is time goes on by."""
    entrants = history.entrants(session, tournament)
    fmt, number = format_of(tournament), tournament.rounds_paired + 1
    in_advance = not tournament.all_paired and fmt.in_advance(entrants, number, tournament.seed)
    known = in_advance or tournament.all_paired
    return Question(
        tournament.id,
        tournament.revision,
        number,
        fmt,
        entrants,
        [] if known else list(history.meetings(session, tournament)),
        tournament.seed,
        in_advance,
        tournament.all_paired,
    )


def answer(question: Question) -> Proposal:
    """How it goes on. That can take long, a minute where a hundred meet by the Dutch rules: hold no lock.

    Raises:
        FormatError: the format does not know how.
    """
    about = question.tournament_id, question.revision, question.number
    pairings = None
    if not (question.over or question.in_advance):
        pairings = question.format.next_round(
            question.entrants, question.meetings, question.number, question.seed
        )
    return Proposal(*about, pairings, question.in_advance)


def accept(session: Session, tournament: Tournament, proposal: Proposal) -> bool:
    """Make the round that was proposed for a (locked) tournament; whether it is over instead.

    A proposal made for something else than what is there now is left alone.
    """
    if tournament.rounds_paired + 1 != proposal.number:
        return False
    if proposal.in_advance:
        _make_in_advance(session, tournament)
        return False
    unfinished = match_store.any_in_state(session, tournament, match_store.UNFINISHED)
    if tournament.revision != proposal.revision or unfinished:
        return False
    if proposal.pairings is None:
        tournament.all_paired = True
        return True
    _make(session, tournament, proposal.number, proposal.pairings)
    return False


def give_up(session: Session, tournament_id: int, revision: int, trouble: Worded) -> int:
    """Say on a tournament of that revision why it stands still; it is forgotten when it goes on.

    The revision at which there is nothing more to ask, as saying so makes another one.
    """
    tournament = store.lock(session, tournament_id)
    if tournament.revision == revision and str(events.stuck(session, tournament)) != str(trouble):
        tournament.revision = revision = revision + 1
        told = TournamentStuck(revision, str(trouble), kept(trouble))
        events.log(session, told, tournament=tournament)
    return revision


def known_in_advance(session: Session, tournament: Tournament) -> bool:
    """Whether the last round that was made did not depend on any result."""
    return _in_advance(session, tournament, tournament.rounds_paired)


def _make_in_advance(session: Session, tournament: Tournament) -> None:
    """Make rounds of a (locked) tournament until enough matches wait to be played, or none is left."""
    while match_store.count_pending(session, tournament, AHEAD) < AHEAD:
        number = tournament.rounds_paired + 1
        if not _in_advance(session, tournament, number):
            return
        pairings = format_of(tournament).next_round(
            history.entrants(session, tournament), (), number, tournament.seed
        )
        if pairings is None:
            tournament.all_paired = True
            return
        _make(session, tournament, number, pairings)


def _in_advance(session: Session, tournament: Tournament, number: int) -> bool:
    entrants = history.entrants(session, tournament)
    return format_of(tournament).in_advance(entrants, number, tournament.seed)


def _make(session: Session, tournament: Tournament, number: int, pairings: Sequence[Pairing]) -> None:
    """Insert a round: its matches, its byes, and the walkovers of those who have left."""
    seats = {
        row.number: Seat(row.id, row.language, row.left_as, row.annulled)
        for row in store.seats(session, tournament)
    }
    count = match_store.insert_all(session, _rows(session, tournament, number, pairings, seats))
    tournament.matches_total += count
    byes = [pairing for pairing in pairings if pairing.second is None]
    for pairing in byes:
        _give_bye(session, tournament, number, pairing)
    tournament.rounds_paired = number
    tournament.revision += 1
    events.log(session, RoundPaired(number, count, len(byes)), tournament=tournament)
    session.flush()
    gone = [seat.id for seat in seats.values() if seat.left_as and not seat.annulled]
    for match in match_store.lock_unfinished_of(session, tournament, gone, number) if gone else ():
        walk_over(session, match)


def _rows(
    session: Session,
    tournament: Tournament,
    number: int,
    pairings: Sequence[Pairing],
    seats: Mapping[int, Seat],
) -> Iterator[dict[str, Any]]:
    """The matches of a round; with whom all games are annulled nobody has any."""
    drawn = tournament.opening_moves
    last = match_store.last_number(session, tournament)
    games = (
        game
        for game in expand(pairings, number)
        if not (seats[game.first].annulled or seats[game.second].annulled)
    )
    for at, game in enumerate(games, start=last + 1):
        first, second = seats[game.first], seats[game.second]
        yield {
            "tournament_id": tournament.id,
            "number": at,
            "round": number,
            "phase": game.phase,
            "first_id": first.id,
            "second_id": second.id,
            "opening_number": game.opening_number,
            "opening": drawn[game.opening_number - 1] if game.opening_number else [],
            "needs": needs((first.language, second.language)),
            "state": MatchState.PENDING,
        }


def _give_bye(session: Session, tournament: Tournament, number: int, pairing: Pairing) -> None:
    """A bye is worth what winning all games of the pairing would be, in a bracket it only leads on."""
    entry = store.entry_by_number(session, tournament, pairing.first)
    swiss = tournament.format in {FormatName.SWISS, FormatName.SWISS_DUTCH}
    half_points = 2 * pairing.games if swiss else 0
    session.add(
        Bye(
            tournament_id=tournament.id,
            round=number,
            entry_id=entry.id,
            half_points=half_points,
            kind=Kind.BYE,
            phase=pairing.phase,
        )
    )
    totals.add_bye(entry, half_points)
    events.log(session, ByeGiven(number, entry.number, half_points), tournament=tournament)


def walk_over(session: Session, match: Match) -> None:
    """Decide an unfinished (locked) match one or both of whose entries have left."""
    first, second = match.first.left_as, match.second.left_as
    winner: Winner = "nobody" if first and second else "second" if first else "first"
    left_as = first or second
    names = [entry.version.bot.name for entry in (match.first, match.second) if entry.left_as]
    why = f"{' and '.join(names)} left the tournament"
    decisions.decide(session, match, winner, reason=str(left_as), why=why)
