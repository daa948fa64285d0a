"""What workers report: the form of every message, and what is done with it.

A message may say anything: what cannot be read is refused here.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from arena.coordinator import (
    checks,
    chunks,
    learning,
    leases,
    matches,
    moves,
    repeats,
    reviews,
    scrimmages,
    solving,
)
from arena.coordinator.host_reports import Number
from arena.coordinator.leases import AnyWork, Step
from workers.app import (
    CHECK_HEARTBEAT,
    CHECK_LOST,
    CHECKED,
    CHUNK,
    CHUNK_HEARTBEAT,
    CHUNK_LOST,
    HEARTBEAT,
    LEAF,
    LEAF_HEARTBEAT,
    LEAF_LOST,
    LOST,
    MOVE_HEARTBEAT,
    MOVE_LOST,
    MOVED,
    RECORD,
    REPEAT_HEARTBEAT,
    REPEAT_LOST,
    REPEATED,
    REVIEW_HEARTBEAT,
    REVIEW_LOST,
    REVIEWED,
    SCRIMMAGE_HEARTBEAT,
    SCRIMMAGE_LOST,
    SCRIMMAGE_PLAYED,
    TRAINED,
    TRAINING_HEARTBEAT,
    TRAINING_LOST,
)
from workers.core.contract import Frozen, Many, Nanoseconds
from workers.simulation.contract import MAX_GAMES


class Report(Frozen):
    """What every message from a worker says about itself, besides what it is about."""

    attempt: Number
    token: str
    host: str = ""
    beat: Number | None = None
    """The number of a sign of life among those of its attempt."""

    @property
    @abstractmethod
    def about(self) -> tuple[int, ...]:
        """The key of the row that it is about."""

    @property
    def told(self) -> dict[str, Any]:
        """What the engine is told by it; by a sign of life, whose it is and its number."""
        return {"host": self.host, "beat": self.beat}


class LostReport(Report):
    """Work could not be done; `stopped` where its worker was told to stop."""

    trouble: str
    stopped: bool = False

    @property
    def told(self) -> dict[str, Any]:
        """Whose trouble it is, and which."""
        return {"host": self.host, "trouble": self.trouble, "stopped": self.stopped}


class MatchReport(Report):
    """Word of a match."""

    match: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The match's id."""
        return (self.match,)


class ResultReport(MatchReport):
    """A match was played."""

    result: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What the match is to be recorded by."""
        return {"report": self.result}


class LostMatchReport(LostReport, MatchReport):
    """A match could not be played."""


class ScrimmageReport(Report):
    """Word of a game of a scrimmage."""

    game: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The game's id."""
        return (self.game,)


class ScrimmageResultReport(ScrimmageReport):
    """A game of a scrimmage was played."""

    result: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What the game is to be recorded by."""
        return {"report": self.result}


class LostScrimmageReport(LostReport, ScrimmageReport):
    """A game of a scrimmage could not be played."""


class RepeatReport(Report):
    """Word of a match that is played again to be compared."""

    repeat: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The number of the repeat."""
        return (self.repeat,)


class RepeatedReport(RepeatReport):
    """It was played."""

    result: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What is to be compared."""
        return {"report": self.result}


class LostRepeatReport(LostReport, RepeatReport):
    """It could not be played."""


class TurnReport(Report):
    """Word of a turn against a person, or of a hint."""

    turn: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The turn's id."""
        return (self.turn,)


class PlayedTurnReport(TurnReport):
    """A turn was played, or a hint found."""

    result: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What the turn is to be recorded by."""
        return {"report": self.result}


class LostTurnReport(LostReport, TurnReport):
    """A turn could not be played."""


class AnalysisReport(Report):
    """Word of an analysis."""

    analysis: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The number of the analysis."""
        return (self.analysis,)


class AnalysedReport(AnalysisReport):
    """A game was analysed."""

    result: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What was found out."""
        return {"report": self.result}


class LostAnalysisReport(LostReport, AnalysisReport):
    """A game could not be analysed."""


class CheckingReport(Report):
    """Word of a submission check."""

    check: Number

    @property
    def about(self) -> tuple[int, ...]:
        """The id of the version that is checked."""
        return (self.check,)


class VerdictReport(CheckingReport):
    """A check was done."""

    report: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What the check is to be recorded by."""
        return {"report": self.report}


class LostCheckReport(LostReport, CheckingReport):
    """A check could not be done."""


class ChunkReport(Report):
    """Word of a chunk of an experiment."""

    experiment: Number
    start: Annotated[int, Field(ge=0, lt=MAX_GAMES)]

    @property
    def about(self) -> tuple[int, ...]:
        """The experiment's id and the chunk's first game."""
        return self.experiment, self.start


class TallyReport(ChunkReport):
    """A chunk was played, in `elapsed_ns`."""

    blocks: Many[dict[str, Any]]
    elapsed_ns: Nanoseconds

    @property
    def told(self) -> dict[str, Any]:
        """What the chunk is to be recorded by."""
        return {"report": {"blocks": self.blocks, "elapsed_ns": self.elapsed_ns}}


class LostChunkReport(LostReport, ChunkReport):
    """A chunk could not be played."""


class LeafReport(Report):
    """Word of a position of a game that is being solved."""

    solve: Number
    leaf: Annotated[int, Field(ge=0, lt=2**31)]

    @property
    def about(self) -> tuple[int, ...]:
        """The solve's id and the leaf's number."""
        return self.solve, self.leaf


class AnswerReport(LeafReport):
    """A position was searched."""

    answer: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What was found out."""
        return {"report": self.answer}


class LostLeafReport(LostReport, LeafReport):
    """A position could not be searched."""


class TrainingReport(Report):
    """Word of a chunk of a player that is learned."""

    training: Number
    chunk: Annotated[int, Field(ge=0, lt=2**31)]

    @property
    def about(self) -> tuple[int, ...]:
        """The training's id and the chunk's number."""
        return self.training, self.chunk


class TrainedReport(TrainingReport):
    """Games were played, a stage fitted, or players compared."""

    answer: dict[str, Any]

    @property
    def told(self) -> dict[str, Any]:
        """What came of it."""
        return {"report": self.answer}


class LostTrainingReport(LostReport, TrainingReport):
    """It could not be done."""


class Handler(NamedTuple):
    """How reports of one task are taken in: the kind of work, the engine's step, and the message's form."""

    work: AnyWork
    step: Step
    form: type[Report]


HANDLERS: dict[str, Handler] = {
    HEARTBEAT: Handler(matches.WORK, leases.heartbeat, MatchReport),
    RECORD: Handler(matches.WORK, leases.record, ResultReport),
    LOST: Handler(matches.WORK, leases.lost, LostMatchReport),
    CHECK_HEARTBEAT: Handler(checks.WORK, leases.heartbeat, CheckingReport),
    CHECKED: Handler(checks.WORK, leases.record, VerdictReport),
    CHECK_LOST: Handler(checks.WORK, leases.lost, LostCheckReport),
    SCRIMMAGE_HEARTBEAT: Handler(scrimmages.WORK, leases.heartbeat, ScrimmageReport),
    SCRIMMAGE_PLAYED: Handler(scrimmages.WORK, leases.record, ScrimmageResultReport),
    SCRIMMAGE_LOST: Handler(scrimmages.WORK, leases.lost, LostScrimmageReport),
    REPEAT_HEARTBEAT: Handler(repeats.WORK, leases.heartbeat, RepeatReport),
    REPEATED: Handler(repeats.WORK, leases.record, RepeatedReport),
    REPEAT_LOST: Handler(repeats.WORK, leases.lost, LostRepeatReport),
    MOVE_HEARTBEAT: Handler(moves.WORK, leases.heartbeat, TurnReport),
    MOVED: Handler(moves.WORK, leases.record, PlayedTurnReport),
    MOVE_LOST: Handler(moves.WORK, leases.lost, LostTurnReport),
    REVIEW_HEARTBEAT: Handler(reviews.WORK, leases.heartbeat, AnalysisReport),
    REVIEWED: Handler(reviews.WORK, leases.record, AnalysedReport),
    REVIEW_LOST: Handler(reviews.WORK, leases.lost, LostAnalysisReport),
    CHUNK_HEARTBEAT: Handler(chunks.WORK, leases.heartbeat, ChunkReport),
    CHUNK: Handler(chunks.WORK, leases.record, TallyReport),
    CHUNK_LOST: Handler(chunks.WORK, leases.lost, LostChunkReport),
    LEAF_HEARTBEAT: Handler(solving.WORK, leases.heartbeat, LeafReport),
    LEAF: Handler(solving.WORK, leases.record, AnswerReport),
    LEAF_LOST: Handler(solving.WORK, leases.lost, LostLeafReport),
    TRAINING_HEARTBEAT: Handler(learning.WORK, leases.heartbeat, TrainingReport),
    TRAINED: Handler(learning.WORK, leases.record, TrainedReport),
    TRAINING_LOST: Handler(learning.WORK, leases.lost, LostTrainingReport),
}
"""All that is reported on work, by the name of the task."""
