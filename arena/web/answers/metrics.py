"""The figures of the arena in the form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from arena.coordinator.figures import Backlog, Figures
from arena.coordinator.result_counters import CLASSES
from arena.coordinator.watch import ARCHIVES, BROKER, DATABASE, Trouble
from arena.core.terms import MatchState, Repeated
from arena.store.counters import Counted

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

BY_KIND = {
    Counted.RESULTS: ("arena_results_recorded", "Results that were recorded."),
    Counted.REFUSED: (
        "arena_reports_refused",
        "Reports of attempts that were given up, or of another host's.",
    ),
    Counted.EXPIRED: ("arena_lease_expiries", "Leases that ran out."),
    Counted.SILENT: ("arena_lost_workers", "Attempts that were given up because their worker fell silent."),
    Counted.LOST: ("arena_lost_attempts", "All attempts that were given up, for whatever reason."),
}
"""What is counted by the kind of work."""


@dataclass(frozen=True, eq=False)
class Watched:
    """All that is shown besides what a process measures: None of a part that does not answer."""

    troubles: Iterable[Trouble]
    figures: Figures | None
    backlog: Backlog | None

    def collect(self) -> Iterator[Metric]:
        """As `prometheus_client` asks for it."""
        yield from _health(self.troubles)
        if self.figures is not None:
            yield from _work(self.figures)
            yield from _hosts(self.figures)
            yield from _counted(self.figures.counts)
            yield _moves(self.figures.counts)
        if self.backlog is not None:
            yield _gauge(
                "arena_recorder_backlog", "Reports that wait for the recorder.", self.backlog.reports
            )
            yield _gauge(
                "arena_recorder_lag_seconds",
                "How long at most the oldest report waits that the recorder has not taken in.",
                self.backlog.seconds,
            )


def written(watched: Watched, registry: CollectorRegistry) -> bytes:
    """Both together as text."""
    everything = CollectorRegistry()
    everything.register(watched)
    return generate_latest(everything) + generate_latest(registry)


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)


def _health(troubles: Iterable[Trouble]) -> Iterator[Metric]:
    failing = {trouble.part for trouble in troubles}
    up = GaugeMetricFamily(
        "arena_part_up", "Whether a part took what was written to it last.", labels=["part"]
    )
    for part in (DATABASE, BROKER, ARCHIVES):
        up.add_metric([part], part not in failing)
    yield up


def _work(figures: Figures) -> Iterator[Metric]:
    depth = GaugeMetricFamily(
        "arena_queue_depth",
        "Work that is not over, by its state: it waits, is on the broker (published), or with a worker.",
        labels=["queue", "state"],
    )
    parked = GaugeMetricFamily("arena_parked", "Work that waits for the staff.", labels=["queue"])
    age = GaugeMetricFamily(
        "arena_queue_age_seconds", "How old the oldest work is that is not over.", labels=["queue"]
    )
    for kind, states in figures.depths.items():
        for state, number in states.items():
            if state is MatchState.PARKED:
                parked.add_metric([kind], number)
            else:
                depth.add_metric([kind, state], number)
        age.add_metric([kind], figures.ages[kind])
    yield from (depth, parked, age)


def _hosts(figures: Figures) -> Iterator[Metric]:
    hosts = GaugeMetricFamily("arena_worker_hosts", "Worker hosts by their state.", labels=["state"])
    for state, number in figures.hosts.items():
        hosts.add_metric([state], number)
    yield hosts
    repeats = GaugeMetricFamily(
        "arena_repeats",
        "Matches of laboratory PCs that were played again, by what came of it.",
        labels=["outcome"],
    )
    for outcome in (*Repeated, None):
        repeats.add_metric([outcome or "open"], figures.repeats.get(outcome, 0))
    yield repeats
    yield _gauge("arena_worker_processes", "Processes of workers that are there.", figures.processes)
    yield CounterMetricFamily("arena_events", "Events in the log.", value=figures.events)
    yield from _leading(figures)


def _leading(figures: Figures) -> Iterator[Metric]:
    leader = figures.leader
    yield CounterMetricFamily("arena_coordinator_ticks", "Looks of whoever leads.", value=leader.ticks)
    yield CounterMetricFamily("arena_coordinator_takeovers", "Changes of who leads.", value=leader.fence)
    if leader.holder is None:
        return
    silent = max(0.0, (figures.at - leader.seen_at).total_seconds())
    yield _gauge("arena_coordinator_silent_seconds", "Since the last sign of life of whoever leads.", silent)


def _counted(counts: Mapping[str, Mapping[str, int]]) -> Iterator[Metric]:
    for what, (name, words) in BY_KIND.items():
        family = CounterMetricFamily(name, words, labels=["queue"])
        for kind, number in sorted(counts[what].items()):
            family.add_metric([kind], number)
        yield family
    forfeits = CounterMetricFamily(
        "arena_forfeits", "Forfeits in recorded matches, by their fault.", labels=["code"]
    )
    for code, number in sorted(counts[Counted.FORFEITS].items()):
        forfeits.add_metric([code], number)
    yield forfeits
    pruned = CounterMetricFamily("arena_pruned", "What was removed because it was old.", labels=["what"])
    for old, number in sorted(counts[Counted.PRUNED].items()):
        pruned.add_metric([old], number)
    yield pruned


def _moves(counts: Mapping[str, Mapping[str, int]]) -> Metric:
    """How long bots took to answer, in recorded matches: a class has all that are not slower."""
    sums, so_far = [], 0
    for limit in CLASSES:
        so_far += counts[Counted.MOVES].get(limit, 0)
        sums.append((limit, so_far))
    total = sum(counts[Counted.MOVES_NS].values()) / 1e9
    return HistogramMetricFamily(
        "arena_move_seconds", "How long moves of recorded matches took.", buckets=sums, sum_value=total
    )
