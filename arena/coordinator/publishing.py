"""From pending to published: a bounded number of matches waits for the workers, never all of them."""

from __future__ import annotations

import secrets

from sqlalchemy.orm import Session

from arena import hosts
from arena.coordinator.broker import Message
from arena.coordinator.leases import put_back, renew
from arena.coordinator.specs import match_spec
from arena.moments import utc_now
from arena.settings import Settings
from arena.store import events, leases
from arena.store import matches as store
from arena.store import tournaments as tournament_store
from arena.store.models import Match, MatchState, Tournament, TournamentState

TOKEN_BYTES = 16


def publishable(session: Session, settings: Settings) -> bool:
    """Whether there is a match to publish that a host can play, and room for it."""
    if leases.count_published(session, Match) >= settings.window:
        return False
    running = tournament_store.in_state(session, TournamentState.RUNNING)
    if not running:
        return False
    can = hosts.served(session, settings)
    return any(store.any_pending(session, each, can) for each in running)


def issue(session: Session, settings: Settings) -> list[Message]:
    """Give the next matches a new attempt and a new token; the messages to send once this is committed.

    Running tournaments share the free part of the window evenly. What none of the hosts could play is left
    for later: it would only keep the others waiting.
    """
    room = settings.window - leases.count_published(session, Match)
    running = tournament_store.in_state(session, TournamentState.RUNNING)
    can = hosts.served(session, settings)
    messages: list[Message] = []
    for left, tournament in zip(range(len(running), 0, -1), running, strict=True):
        share = -(-(room - len(messages)) // left)
        if share > 0:
            messages += _issue_some(session, tournament, share, can, settings)
    return messages


def _issue_some(
    session: Session, tournament: Tournament, limit: int, can: set[str], settings: Settings
) -> list[Message]:
    tournament = tournament_store.lock(session, tournament.id)
    if tournament.state != TournamentState.RUNNING:
        return []
    matches = store.lock_pending(session, tournament, can, limit)
    messages = [_issue_one(session, match, settings) for match in matches]
    session.flush()
    return messages


def _issue_one(session: Session, match: Match, settings: Settings) -> Message:
    token = secrets.token_hex(TOKEN_BYTES)
    match.state = MatchState.PUBLISHED
    match.attempt += 1
    match.token = token
    renew(match, utc_now(), settings.pickup_seconds)
    events.log(session, "match.published", match=match, attempt=match.attempt)
    return Message(match_spec(match), match.attempt, token, match.needs)


def take_back(session: Session, messages: list[Message]) -> None:
    """Make the matches of messages that could not be sent pending again, unless they moved on meanwhile."""
    for message in messages:
        match = store.lock(session, int(message.spec.match))
        if match.state == MatchState.PUBLISHED and match.token == message.token:
            put_back(session, match, "the broker did not take the message")
    session.flush()
