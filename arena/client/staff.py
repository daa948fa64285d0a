"""The arena's own work: worker hosts, the queue, what was lost, checks, storage."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from arena.client.connection import Connection, quoted
from arena.schemas.bots import EnvironmentOut
from arena.schemas.experiments import ExperimentOut
from arena.schemas.paging import Page
from arena.schemas.queue import QueueOut
from arena.schemas.staff import (
    Enrolled,
    EnrolmentCodeOut,
    FailedExperiment,
    GivenUpAnalysis,
    HostOut,
    LossOut,
    Purged,
    Retried,
    SetAsideOut,
    StaffCheck,
    StorageOut,
    WorkerKeyOut,
)


class StaffClient(Connection):
    """The part of the client that is about the arena's own work. Methods raise `ClientError`."""

    def workers(self) -> Iterator[HostOut]:
        """The worker hosts, by name."""
        return self._pages(Page[HostOut], "/workers")

    def worker(self, host: str) -> HostOut:
        """One worker host."""
        return self._ask(HostOut, "GET", f"/workers/{quoted(host)}")

    def drain_worker(self, host: str, within_seconds: float | None = None) -> HostOut:
        """Drain a host, so that it takes nothing new, and nothing is left to it after so many seconds."""
        how = {"within_seconds": within_seconds}
        return self._ask(HostOut, "POST", f"/workers/{quoted(host)}/drain", json=how)

    def resume_worker(self, host: str) -> HostOut:
        """Have a host take work again."""
        return self._ask(HostOut, "POST", f"/workers/{quoted(host)}/resume")

    def forget_worker(self, host: str) -> HostOut:
        """List a host no more that is gone."""
        return self._ask(HostOut, "DELETE", f"/workers/{quoted(host)}")

    def purge_worker(self, host: str, reason: str, since: dt.datetime | None = None) -> Purged:
        """Believe a host no more, and have some of its matches played again: until none is left."""
        told = {"reason": reason, "since": None if since is None else since.isoformat()}
        return self._ask(Purged, "POST", f"/workers/{quoted(host)}/purge", json=told)

    def trust_worker(self, host: str, repeat_share: float | None) -> WorkerKeyOut:
        """Trust a host, or have such a share of its matches played again elsewhere."""
        told = {"repeat_share": repeat_share}
        return self._ask(WorkerKeyOut, "PUT", f"/worker-keys/{quoted(host)}/trust", json=told)

    def make_worker_code(self, repeat_share: float | None = None) -> EnrolmentCodeOut:
        """A code with which one host can be enrolled."""
        return self._ask(EnrolmentCodeOut, "POST", "/worker-codes", json={"repeat_share": repeat_share})

    def enrol_worker(self, code: str, host: str, key: str) -> Enrolled:
        """Enrol a host by a code, with its public key."""
        return self._ask(Enrolled, "POST", "/worker-keys", json={"code": code, "host": host, "key": key})

    def worker_keys(self) -> Iterator[WorkerKeyOut]:
        """The keys of hosts, the good ones first."""
        return self._pages(Page[WorkerKeyOut], "/worker-keys")

    def revoke_worker(self, host: str) -> WorkerKeyOut:
        """Believe a host no more."""
        return self._ask(WorkerKeyOut, "DELETE", f"/worker-keys/{quoted(host)}")

    def environments(self) -> Iterator[EnvironmentOut]:
        """What the names of environments mean in this arena."""
        return self._pages(Page[EnvironmentOut], "/environments")

    def choose_environment(self, name: str, digest: str) -> EnvironmentOut:
        """Let a name mean other packages that a host has."""
        return self._ask(EnvironmentOut, "PUT", f"/environments/{quoted(name)}", json={"digest": digest})

    def queue(self) -> QueueOut:
        """What waits, and what nobody can do."""
        return self._ask(QueueOut, "GET", "/staff/queue")

    def parked(self) -> Iterator[LossOut]:
        """The matches that wait for the staff."""
        return self._pages(Page[LossOut], "/staff/parked")

    def lost(self) -> Iterator[LossOut]:
        """The matches that were lost and are to be played all the same."""
        return self._pages(Page[LossOut], "/staff/lost")

    def retry_all(self, tournament: str) -> Retried:
        """Give all parked matches of a tournament another chance."""
        return self._ask(Retried, "POST", f"/tournaments/{quoted(tournament)}/retry")

    def staff_checks(self, *, over: bool) -> Iterator[StaffCheck]:
        """The checks that are not over, or those that are."""
        return self._pages(Page[StaffCheck], "/staff/checks", over=over)

    def given_up_analyses(self) -> Iterator[GivenUpAnalysis]:
        """The analyses of games that were given up."""
        return self._pages(Page[GivenUpAnalysis], "/staff/analyses")

    def failed_experiments(self) -> Iterator[FailedExperiment]:
        """The experiments that were given up."""
        return self._pages(Page[FailedExperiment], "/staff/experiments")

    def set_aside(self) -> Iterator[SetAsideOut]:
        """What stood in the broker's queues and was no message."""
        return self._pages(Page[SetAsideOut], "/staff/set-aside")

    def retry_experiment(self, number: int) -> ExperimentOut:
        """Have an experiment that was given up go on."""
        return self._ask(ExperimentOut, "POST", f"/experiments/{number}/retry")

    def storage(self) -> StorageOut:
        """What takes up room."""
        return self._ask(StorageOut, "GET", "/staff/storage")
