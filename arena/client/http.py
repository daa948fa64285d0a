"""A client of the arena's API, as the command line uses it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from arena.client.accuracy import AccuracyClient
from arena.client.careers import CareerClient
from arena.client.connection import LONG, quoted
from arena.client.errors import BusyError, ClientError, UnreachableError
from arena.client.grading import GradingClient
from arena.client.notices import NoticesClient
from arena.client.people import PeopleClient
from arena.client.questions import QuestionsClient
from arena.client.scrimmages import ScrimmageClient
from arena.client.solves import SolvesClient
from arena.client.staff import StaffClient
from arena.client.streams import StreamEvent
from arena.client.team import TeamClient
from arena.client.timetables import TimetableClient
from arena.client.trainings import TrainingsClient
from arena.client.watching import again_and_again
from arena.core.terms import VersionState
from arena.schemas.amendments import LogLine, Verification
from arena.schemas.bots import BotOut, CheckOut, Submitted
from arena.schemas.experiments import ExperimentOut, ExperimentResults
from arena.schemas.matches import MatchDetail, MatchOut
from arena.schemas.paging import Page
from arena.schemas.planning import EstimateOut, EtaOut
from arena.schemas.ratings import RatingHistory, RatingTable
from arena.schemas.report import ClassReportOut
from arena.schemas.standings import Crosstable, Leaderboard
from arena.schemas.statistics import BalanceOut, BotNumbersOut, HeadToHeadOut
from arena.schemas.sweeps import SweepOut
from arena.schemas.tournaments import EntriesMade, EntryOut, TournamentOut

RETRY_SECONDS = 2.0
CHECKED_STATES = frozenset(VersionState) - {VersionState.CHECKING}


class ArenaClient(
    PeopleClient,
    StaffClient,
    TeamClient,
    ScrimmageClient,
    NoticesClient,
    QuestionsClient,
    TimetableClient,
    GradingClient,
    CareerClient,
    SolvesClient,
    TrainingsClient,
    AccuracyClient,
):
    """Talks to one arena with one token. Every method raises `ClientError` when it cannot do its work."""

    def submit(
        self, bot: str, filename: str, data: bytes, owner: str | None = None, games: Sequence[str] = ()
    ) -> Submitted:
        """Submit a bot's files as a new version, which will be checked in `games`."""
        form: dict[str, Any] = {"owner": owner} if owner else {}
        return self._ask(
            Submitted,
            "POST",
            f"/bots/{quoted(bot)}/versions",
            files={"file": (filename, data)},
            data=form | ({"game": list(games)} if games else {}),
        )

    def submit_reference(self, bot: str, reference: str, games: Sequence[str] = ()) -> Submitted:
        """Submit a reference bot of the arena's under a name."""
        told = {"reference": reference} | ({"games": list(games)} if games else {})
        return self._ask(Submitted, "POST", f"/bots/{quoted(bot)}/reference", json=told)

    def bot(self, name: str) -> BotOut:
        """One bot with its newest version."""
        return self._ask(BotOut, "GET", f"/bots/{quoted(name)}")

    def check(self, bot: str, version: int) -> CheckOut:
        """The submission check of a version."""
        return self._ask(CheckOut, "GET", f"/bots/{quoted(bot)}/versions/{version}/check")

    def check_again(self, bot: str, version: int, games: Sequence[str] = ()) -> CheckOut:
        """Have a version checked once more, in other games if any are named."""
        path = f"/bots/{quoted(bot)}/versions/{version}/check"
        return self._ask(CheckOut, "POST", path, json={"games": list(games)})

    def cancel_check(self, bot: str, version: int) -> CheckOut:
        """Call off a version's check that is not over."""
        return self._ask(CheckOut, "POST", f"/bots/{quoted(bot)}/versions/{version}/check/cancel")

    def await_check(self, bot: str, version: int, pause: float = 0.3, patience: float = 30.0) -> CheckOut:
        """The check of a version when it is over; an arena that is silent is asked again for a while."""
        *_, last = again_and_again(lambda: self.check(bot, version), pause, patience, CHECKED_STATES)
        return last

    def bots(self) -> Iterator[BotOut]:
        """All bots."""
        return self._pages(Page[BotOut], "/bots")

    def create_tournament(self, plan: Mapping[str, Any]) -> TournamentOut:
        """Plan a tournament; drawing openings may take a while."""
        return self._ask(TournamentOut, "POST", "/tournaments", json=dict(plan), timeout=LONG)

    def tournaments(self) -> Iterator[TournamentOut]:
        """All tournaments, newest first."""
        return self._pages(Page[TournamentOut], "/tournaments")

    def own_tournaments(self) -> Iterator[TournamentOut]:
        """Those that one runs, newest first."""
        return self._pages(Page[TournamentOut], "/me/tournaments")

    def tournament(self, name: str) -> TournamentOut:
        """One tournament and how far it is."""
        return self._ask(TournamentOut, "GET", f"/tournaments/{quoted(name)}")

    def change(self, name: str, action: str) -> TournamentOut:
        """Move a tournament on: `open`, `start` (it may take a while), `pause`, `resume`, `end`, `cancel`."""
        return self._ask(TournamentOut, "POST", f"/tournaments/{quoted(name)}/{action}", timeout=LONG)

    def enter(self, name: str, bot: str, version: int | None = None) -> EntryOut:
        """Enter a bot, its newest version unless another is named."""
        entry = {"bot": bot} | ({} if version is None else {"version": version})
        return self._ask(EntryOut, "POST", f"/tournaments/{quoted(name)}/entries", json=entry)

    def enter_class(self, name: str, class_name: str | None) -> EntriesMade:
        """Enter the bots of a class that are not entered, by default of the one that it is for."""
        path = f"/tournaments/{quoted(name)}/entries/class"
        return self._ask(EntriesMade, "POST", path, json={"class_name": class_name}, timeout=LONG)

    def matches(self, name: str, state: str) -> Iterator[MatchOut]:
        """A tournament's matches in that state."""
        return self._pages(Page[MatchOut], f"/tournaments/{quoted(name)}/matches", state=state)

    def retry(self, name: str, number: int) -> MatchDetail:
        """Give a parked match another chance."""
        return self._ask(MatchDetail, "POST", f"/tournaments/{quoted(name)}/matches/{number}/retry")

    def drop(self, name: str, number: int, reason: str) -> MatchDetail:
        """Call a parked match off; it counts for nobody."""
        return self._ask(
            MatchDetail,
            "POST",
            f"/tournaments/{quoted(name)}/matches/{number}/drop",
            json={"reason": reason},
        )

    def withdraw(self, name: str, bot: str, reason: str) -> TournamentOut:
        """Take a bot out; its opponents win what it has not played yet."""
        return self._ask(
            TournamentOut, "POST", self._entry(name, bot) + "/withdraw", json={"reason": reason}, timeout=LONG
        )

    def disqualify(self, name: str, bot: str, reason: str, *, annul: bool) -> TournamentOut:
        """Expel a bot; with `annul` none of its games counts."""
        why = {"reason": reason, "annul": annul}
        return self._ask(
            TournamentOut, "POST", self._entry(name, bot) + "/disqualify", json=why, timeout=LONG
        )

    def _entry(self, name: str, bot: str) -> str:
        return f"/tournaments/{quoted(name)}/entries/{quoted(bot)}"

    def rerun(self, name: str, number: int, reason: str) -> MatchDetail:
        """Have a finished match played again."""
        path = f"/tournaments/{quoted(name)}/matches/{number}/rerun"
        return self._ask(MatchDetail, "POST", path, json={"reason": reason})

    def rerun_round(self, name: str, number: int, reason: str) -> TournamentOut:
        """Have all matches of a round played again."""
        path = f"/tournaments/{quoted(name)}/rounds/{number}/rerun"
        return self._ask(TournamentOut, "POST", path, json={"reason": reason}, timeout=LONG)

    def set_result(self, name: str, number: int, winner: str, reason: str) -> MatchDetail:
        """Decide a match: `first`, `second`, `draw` or `nobody`."""
        path = f"/tournaments/{quoted(name)}/matches/{number}/result"
        return self._ask(MatchDetail, "POST", path, json={"winner": winner, "reason": reason})

    def log(self, name: str) -> Iterator[LogLine]:
        """What was done to a tournament, newest first."""
        return self._pages(Page[LogLine], f"/tournaments/{quoted(name)}/log")

    def verification(self, name: str) -> Verification:
        """Whether a tournament's totals are those that its results add up to."""
        return self._ask(Verification, "GET", f"/tournaments/{quoted(name)}/verification", timeout=LONG)

    def leaderboard(self, name: str) -> Leaderboard:
        """The standings."""
        return self._ask(Leaderboard, "GET", f"/tournaments/{quoted(name)}/leaderboard")

    def crosstable(self, name: str) -> Crosstable:
        """Everybody against everybody."""
        return self._ask(Crosstable, "GET", f"/tournaments/{quoted(name)}/crosstable")

    def bot_numbers(self, name: str, bot: str) -> BotNumbersOut:
        """One bot's numbers."""
        return self._ask(BotNumbersOut, "GET", f"/tournaments/{quoted(name)}/bots/{quoted(bot)}")

    def head_to_head(self, name: str, one: str, other: str) -> HeadToHeadOut:
        """Two bots' games with each other."""
        two = {"one": one, "other": other}
        return self._ask(
            HeadToHeadOut, "GET", f"/tournaments/{quoted(name)}/head-to-head", params=two, timeout=LONG
        )

    def balance(self, name: str) -> BalanceOut:
        """The audit of seats and openings."""
        return self._ask(BalanceOut, "GET", f"/tournaments/{quoted(name)}/balance")

    def ratings(self, name: str, **wish: int | bool | str) -> RatingTable:
        """How strong the bots are; `wish` may have `resamples`, `seed`, `pairwise` and `model`."""
        return self._ask(
            RatingTable, "GET", f"/tournaments/{quoted(name)}/ratings", params=wish, timeout=LONG
        )

    def rating_history(self, name: str, kind: str, points: int) -> RatingHistory:
        """How the ratings came about; `kind` is `likelihood`, or `online`, which depends on the order."""
        wish = {"kind": kind, "points": points}
        return self._ask(
            RatingHistory, "GET", f"/tournaments/{quoted(name)}/ratings/history", params=wish, timeout=LONG
        )

    def export(self, name: str, form: str) -> Iterator[bytes]:
        """A tournament's matches in that format, in pieces as they arrive."""
        return self._stream(f"/tournaments/{quoted(name)}/export", format=form)

    def class_report(self, name: str, thresholds: Sequence[str], references: Sequence[str]) -> ClassReportOut:
        """What every bot of a class made; thresholds are written `BOT=SHARE`."""
        wish = {"threshold": list(thresholds), "reference": list(references)}
        return self._ask(
            ClassReportOut, "GET", f"/tournaments/{quoted(name)}/report", params=wish, timeout=LONG
        )

    def class_report_csv(
        self, name: str, thresholds: Sequence[str], references: Sequence[str]
    ) -> Iterator[bytes]:
        """The same as CSV, in pieces as they arrive."""
        wish = {"threshold": list(thresholds), "reference": list(references)}
        return self._stream(f"/tournaments/{quoted(name)}/report.csv", **wish)

    def estimate(self, name: str, **asked: int | str) -> EstimateOut:
        """How long a tournament will take; `asked` may have `bots`, `workers`, `start` and `until`."""
        return self._ask(
            EstimateOut, "GET", f"/tournaments/{quoted(name)}/estimate", params=asked, timeout=LONG
        )

    def eta(self, name: str) -> EtaOut:
        """How long a running tournament still takes."""
        return self._ask(EtaOut, "GET", f"/tournaments/{quoted(name)}/eta", timeout=LONG)

    def watch(self, name: str, pause: float = 1.0, patience: float = 30.0) -> Iterator[TournamentOut]:
        """The tournament whenever something has changed, the last time when it is over.

        It is asked for at most every `pause` seconds; an arena that does not answer is asked again for
        `patience` seconds.
        """
        changes = _Changes(lambda: self._events(f"/tournaments/{quoted(name)}/events"))
        return again_and_again(lambda: self.tournament(name), pause, patience, rest=changes.wait)

    def events(
        self,
        tournament: str | None = None,
        match: int | None = None,
        *,
        after: int | None = None,
        moves: bool = False,
        patience: float = 30.0,
    ) -> Iterator[StreamEvent]:
        """What happens in the arena, a tournament or one of its matches: after that number, or from now on.

        It goes on for ever. When the connection breaks it is made again, and nothing is left out; an arena
        that does not answer is asked again for `patience` seconds.
        """
        path = f"/tournaments/{quoted(tournament)}" if tournament else ""
        path += f"/matches/{match}" if match else ""
        wish = {"moves": "true"} if moves and tournament and not match else {}
        last_word = time.monotonic()
        while True:
            try:
                for event in self._events(f"{path}/events", after, **wish):
                    last_word = time.monotonic()
                    after = after if event.number is None else event.number
                    if event.kind:
                        yield event
            except (UnreachableError, BusyError):
                if time.monotonic() - last_word > patience:
                    raise
            time.sleep(RETRY_SECONDS)

    def create_experiment(self, plan: Mapping[str, Any]) -> ExperimentOut:
        """Have many games played on the workers; drawing openings may take a while."""
        return self._ask(ExperimentOut, "POST", "/experiments", json=dict(plan), timeout=LONG)

    def experiments(self) -> Iterator[ExperimentOut]:
        """All experiments, newest first."""
        return self._pages(Page[ExperimentOut], "/experiments")

    def experiment(self, number: int) -> ExperimentOut:
        """One experiment and how far it is."""
        return self._ask(ExperimentOut, "GET", f"/experiments/{number}")

    def cancel_experiment(self, number: int) -> ExperimentOut:
        """End an experiment; what its first games came to stays."""
        return self._ask(ExperimentOut, "POST", f"/experiments/{number}/cancel")

    def experiment_results(self, number: int) -> ExperimentResults:
        """What an experiment's games come to so far, with every integer."""
        return self._ask(ExperimentResults, "GET", f"/experiments/{number}/results")

    def export_experiment(self, number: int, form: str) -> Iterator[bytes]:
        """An experiment's counts as `csv` or its games as `jsonl`, in pieces as they arrive."""
        return self._stream(f"/experiments/{number}/export", format=form)

    def recorded_part(self, number: int, start: int) -> Iterator[bytes]:
        """The Parquet file of an experiment's recorded games from `start` on, in pieces."""
        return self._stream(f"/experiments/{number}/parts/{start}")

    def watch_experiment(
        self, number: int, pause: float = 0.5, patience: float = 30.0
    ) -> Iterator[ExperimentOut]:
        """The experiment again and again, as `watch` does with a tournament."""
        return again_and_again(lambda: self.experiment(number), pause, patience)

    def create_sweep(self, plan: Mapping[str, Any]) -> SweepOut:
        """Have an experiment played for every combination of some values, or go on with it."""
        return self._ask(SweepOut, "POST", "/sweeps", json=dict(plan), timeout=LONG)

    def sweeps(self) -> Iterator[SweepOut]:
        """All sweeps, newest first."""
        return self._pages(Page[SweepOut], "/sweeps")

    def sweep(self, name: str) -> SweepOut:
        """One sweep and how far it is."""
        return self._ask(SweepOut, "GET", f"/sweeps/{quoted(name)}")

    def cancel_sweep(self, name: str) -> SweepOut:
        """End what is not over of a sweep; what its games came to stays."""
        return self._ask(SweepOut, "POST", f"/sweeps/{quoted(name)}/cancel")

    def sweep_table(self, name: str, form: str) -> Iterator[bytes]:
        """A sweep's table as `csv` or `jsonl`, in pieces as they arrive."""
        return self._stream(f"/sweeps/{quoted(name)}/table", format=form)

    def watch_sweep(self, name: str, pause: float = 1.0, patience: float = 30.0) -> Iterator[SweepOut]:
        """The sweep again and again, as `watch` does with a tournament."""
        return again_and_again(lambda: self.sweep(name), pause, patience)


class _Changes:
    """Waits for changes of a tournament by its stream; where there is none, not at all."""

    def __init__(self, stream: Callable[[], Iterator[StreamEvent]]) -> None:
        self._begin = stream
        self._stream: Iterator[StreamEvent] | None = None

    def wait(self, shown: TournamentOut | None) -> None:
        """Return when there may be something else to show, or the arena is to be asked whether there is."""
        self._stream = self._stream or self._begin()
        with contextlib.suppress(ClientError):
            for event in self._stream:
                if shown is None or _is_other(event, shown):
                    return
        self._stream = None


def _is_other(event: StreamEvent, shown: TournamentOut) -> bool:
    """Whether the tournament is not as it was shown, as far as that event tells; it may be after silence."""
    if event.kind == "progress":
        return bool(event.data["revision"] > shown.revision or event.data["state"] != shown.state)
    return event.kind in {"", "match.started", "match.parked"}
