"""The arena's own work, in the words of the API and the pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from importlib.metadata import version

from arena.coordinator.losses import Loss
from arena.coordinator.purging import Purge
from arena.coordinator.queue import Queue, QueuedWork
from arena.coordinator.storage import Storage
from arena.coordinator.watch import Trouble
from arena.coordinator.workers import HostView, Piece
from arena.core.terms import MatchState, Repeated
from arena.experiments.trainings import game_of
from arena.schemas import queue as waiting
from arena.schemas import staff as schemas
from arena.store.models import Analysis, Check, Experiment, SetAside, WorkerKey
from arena.submissions import checks, hosts
from arena.web.answers.copying import copied
from workers.programs.runtimes.languages import plain
from workers.programs.serving import (
    CHECKS,
    MATCHES,
    REVIEWS,
    SCRIMMAGES,
    SIMULATIONS,
    SOLVES,
    TRAININGS,
    words_in,
)


def host_of(view: HostView) -> schemas.HostOut:
    """The host; versions are those of processes that were heard of as lately as any."""
    ours = version("bot-arena")
    versions = sorted({each.version or "" for each in view.processes})
    return copied(
        schemas.HostOut,
        view.host,
        state=view.state,
        versions=[each for each in versions if each],
        strange=view.strange,
        outdated=any(each != ours for each in versions),
        processes=[copied(schemas.ProcessOut, each) for each in view.processes],
        in_hand=[_work(each) for each in view.in_hand],
        enrolled=view.key is not None,
        repeat_share=view.key.repeat_share if view.key else None,
        repeats=_repeats(view),
    )


def _repeats(view: HostView) -> schemas.RepeatsOut:
    counts = view.comparison.counts
    return schemas.RepeatsOut(
        total=sum(counts.values()),
        open=counts.get(None, 0),
        **{each.value: counts.get(each, 0) for each in Repeated},
        p_different=view.comparison.p_different,
        p_late=view.comparison.p_late,
        telling=[
            schemas.TellingMatch(
                tournament=each.match.tournament.name,
                match=each.match.number,
                outcome=each.outcome,
                ply=each.differs_at,
                recorded_at=each.recorded_at,
                counts=each.match.state == MatchState.FINISHED and each.match.attempt == each.result_attempt,
            )
            for each in view.telling
        ],
    )


def _work(piece: Piece) -> schemas.WorkOut:
    doing = piece.doing or {}
    return copied(
        schemas.WorkOut,
        piece.work,
        kind=piece.kind,
        bots=list(piece.work.bots),
        process=piece.process,
        core=doing.get("core"),
        since=dt.datetime.fromisoformat(doing["since"]) if doing else None,
    )


def queue_of(queue: Queue, troubles: Sequence[Trouble]) -> waiting.QueueOut:
    """What waits, and what stands still."""
    parts = [waiting.Standstill(what=each.part, tournament=None, why=each.detail) for each in troubles]
    stuck = [
        waiting.Standstill(what=title or name, tournament=name, why=str(why))
        for name, title, why in queue.stuck
    ]
    return copied(
        waiting.QueueOut,
        queue,
        matches=[_line(MATCHES, each) for each in queue.matches],
        checks=[_line(CHECKS, each) for each in queue.checks],
        reviews=[_line(REVIEWS, each) for each in queue.reviews],
        scrimmages=[_line(SCRIMMAGES, each) for each in queue.scrimmages],
        experiments=[
            copied(
                waiting.QueuedExperiment,
                each.row,
                needs=words_in(each.row.needs),
                nobody=hosts.lacking(SIMULATIONS, each.row.needs) if each.nobody else None,
            )
            for each in queue.experiments
        ],
        solves=[
            copied(
                waiting.QueuedSolve,
                each.row,
                share=each.row.standing["share"] if each.row.standing else None,
                nobody=hosts.lacking(SOLVES, "") if each.nobody else None,
            )
            for each in queue.solves
        ],
        trainings=[
            copied(
                waiting.QueuedTraining,
                each.row,
                game=game_of(each.row.plan),
                round=each.row.round + 1,
                rounds=len(each.row.plan["rounds"]),
                nobody=hosts.lacking(TRAININGS, "") if each.nobody else None,
            )
            for each in queue.trainings
        ],
        standstill=parts + stuck,
    )


def _line(kind: str, line: QueuedWork) -> waiting.QueueLine:
    return waiting.QueueLine(
        needs=words_in(line.needs),
        tournament=line.tournament or None,
        title=line.title,
        paused=line.paused,
        pending=line.counts.get(MatchState.PENDING, 0),
        published=line.counts.get(MatchState.PUBLISHED, 0),
        running=line.counts.get(MatchState.RUNNING, 0),
        since=line.since,
        nobody=hosts.lacking(kind, line.needs) if line.nobody else None,
    )


def loss_of(loss: Loss) -> schemas.LossOut:
    """The match with its lost attempts."""
    match = loss.match
    return copied(
        schemas.LossOut,
        match,
        tournament=match.tournament.name,
        title=match.tournament.title or "",
        bots=(match.first.version.bot.name, match.second.version.bot.name),
        attempts=[copied(schemas.AttemptOut, each) for each in loss.attempts],
    )


def check_of(check: Check) -> schemas.StaffCheck:
    """The check with whose it is."""
    row = check.version
    return copied(
        schemas.StaffCheck,
        check,
        bot=row.bot.name,
        version=row.number,
        owner=row.bot.owner.name,
        language=plain(row.language),
        verdict=row.state,
        code=checks.code_of(row),
    )


def given_up_of(row: Analysis) -> schemas.GivenUpAnalysis:
    """The analysis that was given up."""
    match = row.match
    cup = match.tournament if match else None
    return copied(
        schemas.GivenUpAnalysis,
        row,
        tournament=cup.name if cup else None,
        title=cup.title or "" if cup else "",
        number=match.number if match else None,
    )


def failed_of(experiment: Experiment) -> schemas.FailedExperiment:
    """The experiment that was given up."""
    owner = experiment.owner.name if experiment.owner else None
    return copied(schemas.FailedExperiment, experiment, number=experiment.id, owner=owner)


def worker_key_of(key: WorkerKey) -> schemas.WorkerKeyOut:
    """A key that is, or was, good."""
    return copied(schemas.WorkerKeyOut, key, key=key.public)


def purged_of(purge: Purge) -> schemas.Purged:
    """What was taken back of a host's, and what is left."""
    named = [copied(schemas.KeptMatch, each) for each in purge.kept]
    return copied(schemas.Purged, purge, kept=named)


def set_aside_of(row: SetAside) -> schemas.SetAsideOut:
    """What was no message."""
    return copied(schemas.SetAsideOut, row, number=row.id)


def storage_of(storage: Storage) -> schemas.StorageOut:
    """What takes up room."""
    return schemas.StorageOut(
        database=storage.database.size,
        reusable=storage.database.free,
        daily=storage.daily,
        tables=[copied(schemas.TableOut, each) for each in storage.tables],
        folders=[copied(schemas.FolderOut, each) for each in storage.folders],
        disks=[copied(schemas.DiskOut, each) for each in storage.disks],
    )
