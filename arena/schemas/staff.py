"""What the staff is shown of the arena's own work: worker hosts, losses, checks, storage."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from arena.core.terms import MAX_HOST_CHARS, HostState, MatchState, Repeated, VersionState
from arena.schemas.matches import ReasonText

MAX_DRAIN_SECONDS = 24 * 3600


class WorkOut(BaseModel):
    """A piece of work that a host has in hand; what names it depends on the kind."""

    kind: str = Field(
        examples=["matches"],
        description="`checks`, `matches`, `repeats`, `reviews` (analyses), `scrimmages`, `simulations`, "
        "`solves` or `trainings`.",
    )
    tournament: str | None = Field(description="Of a match, or of an analysis of one.")
    match: int | None = Field(description="The match's number in the tournament.")
    bots: list[str] = Field(description="Both of a match, the one of a check.")
    version: int | None = Field(description="Of a check.")
    experiment: int | None = Field(description="Of a chunk.")
    start: int | None = Field(description="A chunk's first game.")
    scrimmage: int | None = Field(description="Of a game of a scrimmage.")
    game: int | None = Field(description="Which game of its scrimmage.")
    solve: int | None = Field(description="Of a position of a game that is solved.")
    leaf: int | None = Field(description="The number of that position.")
    training: int | None = Field(description="Of a part of a player that is learned.")
    chunk: int | None = Field(description="The number of that part.")
    attempt: int
    process: str | None = Field(description="Which of the host's processes does it, once it has said so.")
    core: int | None = Field(description="The core that the match has to itself.")
    since: dt.datetime | None = Field(description="When it was begun, by the host's clock.")


class ProcessOut(BaseModel):
    """A process of a host."""

    name: str = Field(examples=["slot1@pc-7"])
    takes: list[str] = Field(description="The kinds of work that it takes.")
    version: str | None = Field(description="The version of the arena that it runs; null where it told none.")
    draining: bool = Field(description="Whether it has said that it takes nothing new.")
    seen_at: dt.datetime


class TellingMatch(BaseModel):
    """A match that went another way where it was played again."""

    tournament: str
    match: int = Field(description="Its number in the tournament.")
    outcome: Repeated = Field(
        description="`different`: twice the same on trusted hosts, and not what was reported; `late`: the "
        "same up to a bot's being late, which it was not there."
    )
    ply: int | None = Field(description="The first ply that is another one.")
    recorded_at: dt.datetime | None
    counts: bool = Field(description="Whether the reported result still does: not once it is played again.")


class RepeatsOut(BaseModel):
    """What came of playing matches of a host again on trusted hosts, and how that compares with others."""

    total: int
    open: int = Field(description="Not over yet.")
    same: int
    late: int
    different: int
    undecided: int = Field(description="Bots whose games vary decide nothing.")
    given_up: int
    p_different: float | None = Field(
        description="Fisher's exact test against all other hosts that are not trusted, corrected for their "
        "number (Holm); null without others."
    )
    p_late: float | None = Field(description="The same of `late`.")
    telling: list[TellingMatch] = Field(description="The newest that speak against the host.")


class HostOut(BaseModel):
    """A worker host, what it has in hand and what it can do."""

    name: str = Field(examples=["pc-7"])
    state: HostState
    seen_at: dt.datetime = Field(description="When it was heard of last.")
    draining_at: dt.datetime | None = Field(description="Since when it is to take nothing new.")
    drain_until: dt.datetime | None = Field(
        description="What it still has in hand then is given to others; null where it is waited for."
    )
    speed: float | None = Field(description="1 is a server's core of 2023.")
    cores: int | None = Field(description="How many cores its matches may have.")
    languages: dict[str, str] = Field(
        description="The languages that it runs, with their tools' versions; and the environments that it "
        "has, `python:NAME@DIGEST`, with their packages; `adapters` where bots may start processes."
    )
    strange: list[str] = Field(
        description="Of these the environments whose names mean other packages in this arena: it is given no "
        "work for them."
    )
    versions: list[str] = Field(description="The versions of the arena that its processes run.")
    outdated: bool = Field(description="Whether one of these is not the server's.")
    enrolled: bool = Field(description="Whether it has a good key.")
    repeat_share: float | None = Field(
        description="The share of its matches that is played again elsewhere; null where it is trusted."
    )
    repeats: RepeatsOut
    processes: list[ProcessOut]
    in_hand: list[WorkOut]


class Draining(BaseModel):
    """How a host is to be drained."""

    within_seconds: Annotated[float, Field(ge=0, le=MAX_DRAIN_SECONDS)] | None = Field(
        default=None,
        description="After so many seconds what it still has in hand is taken away and given to others.",
    )


class AttemptOut(BaseModel):
    """An attempt that was lost."""

    at: dt.datetime
    attempt: int
    host: str | None = Field(description="Where it had begun; null where it had not.")
    trouble: str = Field(description="What the worker said, or why it was given up.")


class LossOut(BaseModel):
    """A match that was lost, with its last lost attempts."""

    tournament: str
    title: str
    number: int
    bots: tuple[str, str]
    state: MatchState
    attempt: int
    lost: int
    trouble: str | None
    attempts: list[AttemptOut]


class StaffCheck(BaseModel):
    """The check of a version, as the staff sees it."""

    bot: str
    version: int
    owner: str
    language: str
    state: MatchState = Field(description="`parked` where it was lost too often.")
    verdict: VersionState
    code: str | None = Field(description="The code of the fault that it failed by.")
    attempt: int
    lost: int
    host: str | None
    trouble: str | None
    created_at: dt.datetime
    recorded_at: dt.datetime | None


class GivenUpAnalysis(BaseModel):
    """An analysis of a game that was given up."""

    tournament: str | None = Field(description="Null where the game is no match: a scrimmage's, or people's.")
    title: str
    number: int | None
    lost: int
    trouble: str | None
    created_at: dt.datetime


class FailedExperiment(BaseModel):
    """An experiment that was given up."""

    number: int
    owner: str | None
    games: int
    done: int
    trouble: str | None
    created_at: dt.datetime
    finished_at: dt.datetime | None


Share = Annotated[float, Field(ge=0, le=1)]


class Trust(BaseModel):
    """How far a worker host is trusted."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"repeat_share": 0.05}})

    repeat_share: Share | None = Field(
        default=None,
        description="The share of its matches that is played again on trusted hosts, to be compared; null "
        "for a host that is trusted itself.",
    )


class Purging(BaseModel):
    """Why nothing of a host's is to count."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"reason": "it was changed"}})

    reason: ReasonText
    since: AwareDatetime | None = Field(
        default=None, description="What it has reported since then; by default, since it was enrolled last."
    )


class KeptMatch(BaseModel):
    """A match that cannot be played again: rounds were paired by it, or a bot has left or may be gone."""

    tournament: str
    number: int


class Purged(BaseModel):
    """What was taken back of a host's. Ask again, with the same moment, until nothing is done any more."""

    host: str
    since: dt.datetime
    withdrawn: int = Field(description="How much it had in hand, which is given to others.")
    again: int = Field(description="How many of its matches are played again by this.")
    left: int = Field(description="How many more are to be.")
    kept_total: int = Field(description="How many cannot be played again: their results stand.")
    kept: list[KeptMatch] = Field(description="The first 100 of these.")


class EnrolmentCodeOut(BaseModel):
    """What one worker host can be enrolled with, once."""

    code: str = Field(description="Shown this once.")
    expires_at: dt.datetime
    repeat_share: float | None = Field(description="As `Trust` has it.")


class Enrolling(BaseModel):
    """A worker host that is to be believed."""

    code: str = Field(max_length=200, description="That an administrator made.")
    host: str = Field(
        min_length=1, max_length=MAX_HOST_CHARS, examples=["pc-7"], description="As the machine is called."
    )
    key: str = Field(
        pattern="^[0-9a-f]{64}$",
        examples=["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"],
        description="Its public key (Ed25519), in hexadecimal.",
    )


class Enrolled(BaseModel):
    """A worker host is believed from now on."""

    host: str
    arena_key: str = Field(description="The arena's public key, by which the host knows what to do for it.")
    trusted: bool = Field(
        default=False, description="Whether it is no laboratory PC, and may play such hosts' matches again."
    )
    settings: dict[str, str] = Field(
        default={},
        examples=[{"ARENA_BROKER_URL": "rediss://worker:PASSWORD@arena.school.example:6379/0"}],
        description="The variables that its workers need, where the arena was told them; secrets among them.",
    )


class WorkerKeyOut(BaseModel):
    """The key by which a worker host is, or was, believed."""

    host: str
    key: str = Field(description="Its public key, in hexadecimal.")
    enrolled_at: dt.datetime
    revoked_at: dt.datetime | None
    repeat_share: float | None = Field(
        description="The share of its matches that is played again elsewhere; null where it is trusted."
    )


class SetAsideOut(BaseModel):
    """Something in a queue of the broker that was no message. Anybody may have put it there."""

    number: int = Field(description="Of all that there ever were; only the newest are kept.")
    at: dt.datetime
    why: str = Field(
        description="`too_large`, `no_json`, `shape` (no message of Celery's), `task` (none by that name), "
        "`form` (it says something else than such a report does), `signature` (nobody who may say so has "
        "signed it), or `failed` (it could not be taken in)."
    )
    detail: str
    queue: str
    host: str | None = Field(description="The worker host that found it; null for the recorder.")
    size: int = Field(description="Its bytes.")
    head: str = Field(description="How it begins.")


class Retried(BaseModel):
    """How many parked matches are to be played again."""

    retried: int


class TableOut(BaseModel):
    """A table of the database."""

    name: str
    rows: int = Field(description="About how many; no table is counted.")
    size: int | None = Field(description="Its bytes with its indexes; null where the database does not tell.")


class FolderOut(BaseModel):
    """A folder of the arena's."""

    name: str = Field(examples=["archives"], description="`archives`, `recordings`, `cache` or `logs`.")
    place: str
    known: bool = Field(description="Whether it is a folder of this machine; no object store is looked at.")
    files: int
    size: int
    complete: bool = Field(description="False where it has more than was looked at.")
    unused_files: int | None = Field(description="Of archives: those that no version refers to.")
    unused_size: int | None


class DiskOut(BaseModel):
    """A disk on which some of it lies."""

    place: str
    total: int
    free: int


class StorageOut(BaseModel):
    """What takes up room. Sizes are bytes."""

    database: int
    reusable: int | None = Field(description="Of the database what it would fill again before it grows.")
    daily: int | None = Field(description="About how much of it came within the last day.")
    tables: list[TableOut]
    folders: list[FolderOut]
    disks: list[DiskOut]
