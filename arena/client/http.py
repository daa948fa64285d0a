"""A client of the arena's API, as the command line uses it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar
from urllib.parse import quote

from arena.client.connection import LONG, Connection
from arena.client.errors import BusyError, UnreachableError
from arena.schemas.amendments import LogLine, Verification
from arena.schemas.bots import BotOut, CheckOut, Submitted
from arena.schemas.experiments import ExperimentOut, ExperimentResults
from arena.schemas.matches import MatchDetail, MatchOut
from arena.schemas.paging import Page
from arena.schemas.planning import EstimateOut, EtaOut
from arena.schemas.ratings import RatingHistory, RatingTable
from arena.schemas.report import ClassReportOut
from arena.schemas.roster import RosterOut
from arena.schemas.standings import Crosstable, Leaderboard
from arena.schemas.statistics import BalanceOut, BotNumbersOut, HeadToHeadOut
from arena.schemas.tournaments import EntryOut, TournamentOut
from arena.schemas.users import Revoked, UserOut, UserWithToken

FINAL_STATES = frozenset({"finished", "cancelled", "failed"})
CHECKED_STATES = frozenset({"passed", "failed", "unchecked"})

W = TypeVar("W", bound="_Stateful")


class ArenaClient(Connection):
    """Talks to one arena with one token. Every method raises `ClientError` when it cannot do its work."""

    def me(self) -> UserOut:
        """Whose token this is."""
        return self._ask(UserOut, "GET", "/me")

    def create_user(self, name: str, role: str) -> UserWithToken:
        """Let somebody in; the answer holds their token, shown this once."""
        return self._ask(UserWithToken, "POST", "/users", json={"name": name, "role": role})

    def issue_token(self, name: str) -> UserWithToken:
        """Give a user another token; the answer holds it, shown this once."""
        return self._ask(UserWithToken, "POST", f"/users/{_quoted(name)}/tokens")

    def revoke_tokens(self, name: str) -> Revoked:
        """Make all tokens of a user worthless, except the one of this client; the answer says how many."""
        return self._ask(Revoked, "DELETE", f"/users/{_quoted(name)}/tokens")

    def submit(
        self, bot: str, filename: str, data: bytes, owner: str | None = None, games: Sequence[str] = ()
    ) -> Submitted:
        """Submit a bot's files as a new version, which will be checked in `games`."""
        form: dict[str, Any] = {"owner": owner} if owner else {}
        return self._ask(
            Submitted,
            "POST",
            f"/bots/{_quoted(bot)}/versions",
            files={"file": (filename, data)},
            data=form | ({"game": list(games)} if games else {}),
        )

    def bot(self, name: str) -> BotOut:
        """One bot with its newest version."""
        return self._ask(BotOut, "GET", f"/bots/{_quoted(name)}")

    def check(self, bot: str, version: int) -> CheckOut:
        """The submission check of a version."""
        return self._ask(CheckOut, "GET", f"/bots/{_quoted(bot)}/versions/{version}/check")

    def check_again(self, bot: str, version: int, games: Sequence[str] = ()) -> CheckOut:
        """Have a version checked once more, in other games if any are named."""
        path = f"/bots/{_quoted(bot)}/versions/{version}/check"
        return self._ask(CheckOut, "POST", path, json={"games": list(games)})

    def cancel_check(self, bot: str, version: int) -> CheckOut:
        """Call off a version's check that is not over."""
        return self._ask(CheckOut, "POST", f"/bots/{_quoted(bot)}/versions/{version}/check/cancel")

    def await_check(self, bot: str, version: int, pause: float = 0.3, patience: float = 30.0) -> CheckOut:
        """The check of a version when it is over; an arena that is silent is asked again for a while."""
        *_, last = _again_and_again(lambda: self.check(bot, version), pause, patience, CHECKED_STATES)
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

    def tournament(self, name: str) -> TournamentOut:
        """One tournament and how far it is."""
        return self._ask(TournamentOut, "GET", f"/tournaments/{_quoted(name)}")

    def change(self, name: str, action: str) -> TournamentOut:
        """Move a tournament on: `open`, `start` (it may take a while), `pause`, `resume`, `end`, `cancel`."""
        return self._ask(TournamentOut, "POST", f"/tournaments/{_quoted(name)}/{action}", timeout=LONG)

    def enter(self, name: str, bot: str, version: int | None = None) -> EntryOut:
        """Enter a bot, its newest version unless another is named."""
        entry = {"bot": bot} | ({} if version is None else {"version": version})
        return self._ask(EntryOut, "POST", f"/tournaments/{_quoted(name)}/entries", json=entry)

    def matches(self, name: str, state: str) -> Iterator[MatchOut]:
        """A tournament's matches in that state."""
        return self._pages(Page[MatchOut], f"/tournaments/{_quoted(name)}/matches", state=state)

    def retry(self, name: str, number: int) -> MatchDetail:
        """Give a parked match another chance."""
        return self._ask(MatchDetail, "POST", f"/tournaments/{_quoted(name)}/matches/{number}/retry")

    def drop(self, name: str, number: int, reason: str) -> MatchDetail:
        """Call a parked match off; it counts for nobody."""
        return self._ask(
            MatchDetail,
            "POST",
            f"/tournaments/{_quoted(name)}/matches/{number}/drop",
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
        return f"/tournaments/{_quoted(name)}/entries/{_quoted(bot)}"

    def rerun(self, name: str, number: int, reason: str) -> MatchDetail:
        """Have a finished match played again."""
        path = f"/tournaments/{_quoted(name)}/matches/{number}/rerun"
        return self._ask(MatchDetail, "POST", path, json={"reason": reason})

    def rerun_round(self, name: str, number: int, reason: str) -> TournamentOut:
        """Have all matches of a round played again."""
        path = f"/tournaments/{_quoted(name)}/rounds/{number}/rerun"
        return self._ask(TournamentOut, "POST", path, json={"reason": reason}, timeout=LONG)

    def set_result(self, name: str, number: int, winner: str, reason: str) -> MatchDetail:
        """Decide a match: `first`, `second`, `draw` or `nobody`."""
        path = f"/tournaments/{_quoted(name)}/matches/{number}/result"
        return self._ask(MatchDetail, "POST", path, json={"winner": winner, "reason": reason})

    def log(self, name: str) -> Iterator[LogLine]:
        """What was done to a tournament, newest first."""
        return self._pages(Page[LogLine], f"/tournaments/{_quoted(name)}/log")

    def verification(self, name: str) -> Verification:
        """Whether a tournament's totals are those that its results add up to."""
        return self._ask(Verification, "GET", f"/tournaments/{_quoted(name)}/verification", timeout=LONG)

    def leaderboard(self, name: str) -> Leaderboard:
        """The standings."""
        return self._ask(Leaderboard, "GET", f"/tournaments/{_quoted(name)}/leaderboard")

    def crosstable(self, name: str) -> Crosstable:
        """Everybody against everybody."""
        return self._ask(Crosstable, "GET", f"/tournaments/{_quoted(name)}/crosstable")

    def bot_numbers(self, name: str, bot: str) -> BotNumbersOut:
        """One bot's numbers."""
        return self._ask(BotNumbersOut, "GET", f"/tournaments/{_quoted(name)}/bots/{_quoted(bot)}")

    def head_to_head(self, name: str, one: str, other: str) -> HeadToHeadOut:
        """Two bots' games with each other."""
        two = {"one": one, "other": other}
        return self._ask(
            HeadToHeadOut, "GET", f"/tournaments/{_quoted(name)}/head-to-head", params=two, timeout=LONG
        )

    def balance(self, name: str) -> BalanceOut:
        """The audit of seats and openings."""
        return self._ask(BalanceOut, "GET", f"/tournaments/{_quoted(name)}/balance")

    def ratings(self, name: str, **wish: int | bool | str) -> RatingTable:
        """How strong the bots are; `wish` may have `resamples`, `seed`, `pairwise` and `model`."""
        return self._ask(
            RatingTable, "GET", f"/tournaments/{_quoted(name)}/ratings", params=wish, timeout=LONG
        )

    def rating_history(self, name: str, kind: str, points: int) -> RatingHistory:
        """How the ratings came about; `kind` is `likelihood`, or `online`, which depends on the order."""
        wish = {"kind": kind, "points": points}
        return self._ask(
            RatingHistory, "GET", f"/tournaments/{_quoted(name)}/ratings/history", params=wish, timeout=LONG
        )

    def export(self, name: str, form: str) -> Iterator[bytes]:
        """A tournament's matches in that format, in pieces as they arrive."""
        return self._stream(f"/tournaments/{_quoted(name)}/export", format=form)

    def class_report(self, name: str, thresholds: Sequence[str], references: Sequence[str]) -> ClassReportOut:
        """What every bot of a class made; thresholds are written `BOT=SHARE`."""
        wish = {"threshold": list(thresholds), "reference": list(references)}
        return self._ask(
            ClassReportOut, "GET", f"/tournaments/{_quoted(name)}/report", params=wish, timeout=LONG
        )

    def class_report_csv(
        self, name: str, thresholds: Sequence[str], references: Sequence[str]
    ) -> Iterator[bytes]:
        """The same as CSV, in pieces as they arrive."""
        wish = {"threshold": list(thresholds), "reference": list(references)}
        return self._stream(f"/tournaments/{_quoted(name)}/report.csv", **wish)

    def import_roster(self, filename: str, data: bytes, *, dry_run: bool, encoding: str) -> RosterOut:
        """Let everybody in whom a roster names; the answer holds the new users' tokens, shown this once."""
        wish = {"dry_run": dry_run, "encoding": encoding}
        return self._ask(
            RosterOut, "POST", "/roster", params=wish, files={"file": (filename, data)}, timeout=LONG
        )

    def estimate(self, name: str, **asked: int | str) -> EstimateOut:
        """How long a tournament will take; `asked` may have `bots`, `workers`, `start` and `until`."""
        return self._ask(
            EstimateOut, "GET", f"/tournaments/{_quoted(name)}/estimate", params=asked, timeout=LONG
        )

    def eta(self, name: str) -> EtaOut:
        """How long a running tournament still takes."""
        return self._ask(EtaOut, "GET", f"/tournaments/{_quoted(name)}/eta", timeout=LONG)

    def watch(self, name: str, pause: float = 1.0, patience: float = 30.0) -> Iterator[TournamentOut]:
        """The tournament again and again, every `pause` seconds, the last time when it is over.

        An arena that does not answer is asked again for `patience` seconds.
        """
        return _again_and_again(lambda: self.tournament(name), pause, patience)

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

    def watch_experiment(
        self, number: int, pause: float = 0.5, patience: float = 30.0
    ) -> Iterator[ExperimentOut]:
        """The experiment again and again, as `watch` does with a tournament."""
        return _again_and_again(lambda: self.experiment(number), pause, patience)


class _Stateful(Protocol):
    @property
    def state(self) -> str: ...


def _again_and_again(
    ask: Callable[[], W], pause: float, patience: float, final: Collection[str] = FINAL_STATES
) -> Iterator[W]:
    last_answer = time.monotonic()
    while True:
        try:
            answer = ask()
        except (UnreachableError, BusyError):
            if time.monotonic() - last_answer > patience:
                raise
        else:
            last_answer = time.monotonic()
            yield answer
            if answer.state in final:
                return
        time.sleep(pause)


def _quoted(name: str) -> str:
    return quote(name, safe="")
