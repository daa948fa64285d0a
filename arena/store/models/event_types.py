"""What the audit log can say: every kind of event, and what else is told of one of that kind.

What is told of people is in `account_events`, of experiments and solves in `experiment_events`, of freezes in
`freeze_events`, of hosts in `host_events`, of questions in `question_events`, of trainings in
`training_events`, and of webhooks in `webhook_events`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, dataclass_transform

from arena.core.errors import Worded
from arena.core.kept_words import said
from arena.core.terms import Leaving, TournamentState


class EventKind(StrEnum):
    """What happened, as it stands in the database, in the API and in exports."""

    ANNOUNCEMENT = "announcement"
    CLASS_ANNOUNCED = "class.announced"
    QUESTION_ASKED = "question.asked"
    QUESTION_ANSWERED = "question.answered"
    QUESTION_CLOSED = "question.closed"
    ANSWER_PUBLISHED = "answer.published"
    USER_CREATED = "user.created"
    TOKEN_ISSUED = "token.issued"  # noqa: S105  (the name of an event)
    TOKEN_REVOKED = "token.revoked"  # noqa: S105  (likewise)
    USER_JOINED = "user.joined"
    USER_SIGNED_IN = "user.signed_in"
    USER_ROLE_SET = "user.role_set"
    USER_DISABLED = "user.disabled"
    USER_ENABLED = "user.enabled"
    USER_ERASED = "user.erased"
    MEMBER_LEFT = "member.left"
    SESSIONS_ENDED = "sessions.ended"
    PASSWORD_SET = "password.set"  # noqa: S105  (likewise)
    LINK_MADE = "link.made"
    PASSKEY_ADDED = "passkey.added"
    PASSKEY_REMOVED = "passkey.removed"
    IDENTITY_LINKED = "identity.linked"
    IDENTITY_UNLINKED = "identity.unlinked"
    CODE_MADE = "code.made"
    CODE_REVOKED = "code.revoked"
    CLASS_CREATED = "class.created"
    CLASS_SCRIMMAGES = "class.scrimmages"
    ORGANISER_ADDED = "organiser.added"
    ORGANISER_REMOVED = "organiser.removed"
    BOT_KEPT = "bot.kept"
    BOT_SUBMITTED = "bot.submitted"
    BOT_SCRIMMAGES = "bot.scrimmages"
    CHECK_REPEATED = "check.repeated"
    CHECK_CANCELLED = "check.cancelled"
    CHECK_LOST = "check.lost"
    CHECK_RECORDED = "check.recorded"
    TOURNAMENT_CREATED = "tournament.created"
    TOURNAMENT_TITLED = "tournament.titled"
    TOURNAMENT_OPEN = "tournament.open"
    TOURNAMENT_RUNNING = "tournament.running"
    TOURNAMENT_PAUSED = "tournament.paused"
    TOURNAMENT_ENDED = "tournament.ended"
    TOURNAMENT_FINISHED = "tournament.finished"
    TOURNAMENT_CANCELLED = "tournament.cancelled"
    TOURNAMENT_STUCK = "tournament.stuck"
    TOURNAMENT_FROZEN = "tournament.frozen"
    TOURNAMENT_REVEALED = "tournament.revealed"
    TIMETABLE_SET = "timetable.set"
    TIMETABLE_DONE = "timetable.done"
    TIMETABLE_FAILED = "timetable.failed"
    REVEAL_MOVED = "reveal.moved"
    GRADING_SET = "grading.set"
    GRADES_RELEASED = "grades.released"
    ROUND_PAIRED = "round.paired"
    ROUND_RERUN = "round.rerun"
    BYE_GIVEN = "bye.given"
    ENTRY_MADE = "entry.made"
    ENTRY_WITHDRAWN = "entry.withdrawn"
    ENTRY_DISQUALIFIED = "entry.disqualified"
    ENTRY_ANNULLED = "entry.annulled"
    MATCH_PUBLISHED = "match.published"
    MATCH_STARTED = "match.started"
    MATCH_RECORDED = "match.recorded"
    MATCH_LOST = "match.lost"
    MATCH_PARKED = "match.parked"
    MATCH_PUT_BACK = "match.put_back"
    MATCH_VOID = "match.void"
    MATCH_RETRIED = "match.retried"
    MATCH_DROPPED = "match.dropped"
    MATCH_DECIDED = "match.decided"
    MATCH_SUPERSEDED = "match.superseded"
    MATCH_RERUN = "match.rerun"
    SEASON_MADE = "season.made"
    SEASON_CHANGED = "season.changed"
    SEASON_REMOVED = "season.removed"
    EXPERIMENT_CREATED = "experiment.created"
    EXPERIMENT_CHUNK_LOST = "experiment.chunk_lost"
    EXPERIMENT_FINISHED = "experiment.finished"
    EXPERIMENT_CANCELLED = "experiment.cancelled"
    EXPERIMENT_FAILED = "experiment.failed"
    SOLVE_CREATED = "solve.created"
    SOLVE_LEAF_LOST = "solve.leaf_lost"
    SOLVE_RUNNING = "solve.running"
    SOLVE_PAUSED = "solve.paused"
    SOLVE_FINISHED = "solve.finished"
    SOLVE_CANCELLED = "solve.cancelled"
    SOLVE_FAILED = "solve.failed"
    TRAINING_CREATED = "training.created"
    TRAINING_CHUNK_LOST = "training.chunk_lost"
    TRAINING_RUNNING = "training.running"
    TRAINING_PAUSED = "training.paused"
    TRAINING_FINISHED = "training.finished"
    TRAINING_CANCELLED = "training.cancelled"
    TRAINING_FAILED = "training.failed"
    HOST_DRAINED = "host.drained"
    HOST_RESUMED = "host.resumed"
    HOST_FORGOTTEN = "host.forgotten"
    HOST_ENROLLED = "host.enrolled"
    HOST_REVOKED = "host.revoked"
    HOST_TRUST_SET = "host.trust_set"
    HOST_PURGED = "host.purged"
    ENVIRONMENT_CHOSEN = "environment.chosen"
    ARENA_RESTORED = "arena.restored"
    WEBHOOK_CREATED = "webhook.created"
    WEBHOOK_STOPPED = "webhook.stopped"
    WEBHOOK_REMOVED = "webhook.removed"


@dataclass_transform(frozen_default=True)
class EventData:
    """What is told of an event besides its time, user, tournament and match; its fields are kept in order."""

    KIND: ClassVar[EventKind]

    def __init_subclass__(cls, kind: EventKind | None = None) -> None:
        """Make a frozen dataclass of it; where there is no `kind`, each event says its own."""
        dataclass(frozen=True)(cls)
        if kind is not None:
            cls.KIND = kind

    @property
    def kind(self) -> EventKind:
        """What happened."""
        return self.KIND

    def kept(self) -> dict[str, Any]:
        """What is kept of it, as JSON has it."""
        return dict(vars(self))


class ArenaRestored(EventData, kind=EventKind.ARENA_RESTORED):
    """The arena was made of a backup that was taken at that time.

    The backup's last event has the number `after`. Up to this event's own none is given again, as those that
    were given after the backup was taken are lost, and others may remember them.
    """

    taken_at: str
    after: int


class Announced(EventData, kind=EventKind.ANNOUNCEMENT):
    """The staff tells everybody something."""

    text: str


class BotSubmitted(EventData, kind=EventKind.BOT_SUBMITTED):
    """A version of a bot was handed in."""

    bot: str
    version: int
    archive: str


class CheckRepeated(EventData, kind=EventKind.CHECK_REPEATED):
    """A version is to be checked once more."""

    bot: str
    version: int


class CheckCancelled(EventData, kind=EventKind.CHECK_CANCELLED):
    """A check was called off."""

    bot: str
    version: int
    why: str


class CheckLost(EventData, kind=EventKind.CHECK_LOST):
    """Nothing more was heard of an attempt at a check."""

    bot: str
    version: int
    attempt: int
    trouble: str


class CheckRecorded(EventData, kind=EventKind.CHECK_RECORDED):
    """A check has a verdict."""

    bot: str
    version: int
    passed: bool
    code: str | None


class TournamentCreated(EventData, kind=EventKind.TOURNAMENT_CREATED):
    """A tournament was planned."""

    name: str


class TournamentMoved(EventData):
    """A tournament came into another state, in which so many `matches` were made or called off."""

    state: TournamentState
    matches: int | None = None

    @property
    def kind(self) -> EventKind:
        """That of the state."""
        return EventKind(f"tournament.{self.state}")

    def kept(self) -> dict[str, Any]:
        """The matches, where there is something to tell of them."""
        return {} if self.matches is None else {"matches": self.matches}


class TournamentEnded(EventData, kind=EventKind.TOURNAMENT_ENDED):
    """A ladder gets no further rounds."""


class TournamentStuck(EventData, kind=EventKind.TOURNAMENT_STUCK):
    """The format of a tournament at that `revision` does not know how it goes on."""

    revision: int
    trouble: str
    words: dict[str, Any] | None = None

    @property
    def said(self) -> Worded:
        """The trouble, so that it can be said in any language."""
        return said(self.words, self.trouble)


class RoundPaired(EventData, kind=EventKind.ROUND_PAIRED):
    """A round has its matches and byes."""

    round: int
    matches: int
    byes: int


class RoundRerun(EventData, kind=EventKind.ROUND_RERUN):
    """So many matches of a round are to be played again."""

    round: int
    matches: int
    reason: str


class ByeGiven(EventData, kind=EventKind.BYE_GIVEN):
    """An entry, by its number, met nobody in a round."""

    round: int
    entry: int
    half_points: int


class EntryMade(EventData, kind=EventKind.ENTRY_MADE):
    """A version takes part from that round on."""

    bot: str
    version: int
    entry: int
    round: int


class EntryStruckOut(EventData, kind=EventKind.ENTRY_WITHDRAWN):
    """An entry was withdrawn before the start."""

    bot: str
    entry: int
    reason: str


class EntryLeft(EventData):
    """An entry takes part no more from that round on; `how` is part of the kind."""

    how: Leaving
    bot: str
    entry: int
    round: int
    annulled: bool
    reason: str

    @property
    def kind(self) -> EventKind:
        """That of the way of leaving."""
        return EventKind(f"entry.{self.how}")

    def kept(self) -> dict[str, Any]:
        """All but the way."""
        return {name: value for name, value in vars(self).items() if name != "how"}


class EntryAnnulled(EventData, kind=EventKind.ENTRY_ANNULLED):
    """No game of an entry counts any more, and none of so many byes."""

    entry: int
    byes: int
    why: str


class MatchPublished(EventData, kind=EventKind.MATCH_PUBLISHED):
    """An attempt waits for a worker."""

    attempt: int


class MatchStarted(EventData, kind=EventKind.MATCH_STARTED):
    """A worker has begun an attempt."""

    attempt: int
    host: str


class MatchRecorded(EventData, kind=EventKind.MATCH_RECORDED):
    """An attempt has a result."""

    attempt: int
    winner: int | None
    reason: str


class MatchLost(EventData, kind=EventKind.MATCH_LOST):
    """Nothing more was heard of an attempt; so many were lost."""

    attempt: int
    lost: int
    trouble: str


class MatchParked(EventData, kind=EventKind.MATCH_PARKED):
    """The last attempt but the staff's was lost."""

    attempt: int
    lost: int
    trouble: str


class MatchPutBack(EventData, kind=EventKind.MATCH_PUT_BACK):
    """An attempt is taken as if it had not been given out."""

    attempt: int
    why: str


class MatchVoid(EventData, kind=EventKind.MATCH_VOID):
    """An attempt does not count, as its host was too busy."""

    attempt: int
    why: str


class MatchRetried(EventData, kind=EventKind.MATCH_RETRIED):
    """A parked match is to be played."""


class MatchDropped(EventData, kind=EventKind.MATCH_DROPPED):
    """A parked match was called off."""

    reason: str


class MatchDecided(EventData, kind=EventKind.MATCH_DECIDED):
    """A match has a result that no game has led to."""

    attempt: int
    winner: str
    reason: str
    why: str


class MatchSuperseded(EventData, kind=EventKind.MATCH_SUPERSEDED):
    """The result of an attempt counts no more."""

    attempt: int
    why: str


class MatchRerun(EventData, kind=EventKind.MATCH_RERUN):
    """A finished match is to be played again."""

    reason: str
