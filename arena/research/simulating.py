"""A great number of games between two players, counted: `arena simulate` from Python."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.experiments.simulations import COLUMNS, make_spec, summarise, table
from arena.local.columns import Table
from arena.local.errors import InputError, LocalError
from arena.local.simulation import Plan, Ran, Watch, run, simulated_player
from arena.theory.statistics.intervals import Interval, Method
from arena.theory.statistics.scores import Estimate
from arena.theory.statistics.shares import share_interval
from arena.theory.statistics.sprt import Sprt
from arena.theory.statistics.stopping import decided_by, rule_name, sprt_summary, stop_at
from engines.games import find_game
from workers.core.contract import Policy
from workers.simulation.contract import CHECK_EVERY, RowOf, SimulationSpec, Tally

if TYPE_CHECKING:
    import pyarrow as pa

LOG = logging.getLogger("arena.research")

KINDS = dict.fromkeys(("games", "wins", "draws", "losses"), "int64") | {
    "first_sits_in": "string",
    "score_method": "string",
}
"""The types of the columns of counts that are no fractions."""


COUNTS = {"games": 1, "openings": 0, "opening_plies": 0, "jobs": 1}
"""The least that may be asked for."""


@dataclass(frozen=True)
class Outcome:
    """How the first player's games ended: counts, the share of each with its interval, the mean score."""

    wins: int
    draws: int
    losses: int
    shares: Mapping[str, tuple[float, Interval]]
    score: Estimate


@dataclass(frozen=True)
class Simulated:
    """What a simulation came to. `first` is the first player's outcome, None before the first game.

    `by_seat` are those of its games in seat 0 and in seat 1, `stopped` says that a rule ended it early, and
    `sprt` how the test stands if there was one. `seconds` and `played_now` are of this call: what had been
    broken off before is gone on with. `summary` is what `arena simulate --json` prints of the games.
    """

    spec: SimulationSpec
    tally: Tally
    first: Outcome | None
    by_seat: Mapping[int, Outcome]
    plies_mean: float | None
    sprt: Mapping[str, Any] | None
    stopped: bool
    seconds: float
    played_now: int
    summary: Mapping[str, Any]
    record: Path | None

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.tally.games

    @property
    def score(self) -> Estimate:
        """The first player's mean score, 1 for a win and ½ for a draw, with its error and interval.

        Raises:
            InputError: no game was played.
        """
        if self.first is None:
            raise InputError("no game was played, so that there is no score")
        return self.first.score

    def table(self) -> Table:
        """The counts and estimates: all games, and before them those of each seat if the first had both."""
        kinds = {name: KINDS.get(name, "double") for name in COLUMNS}
        rows = list(table(self.summary))[1:]
        return Table(kinds, lambda: ((str(where), *others) for where, *others in rows))

    def to_arrow(self) -> pa.Table:
        """`table` as an Arrow table."""
        return self.table().to_arrow()

    def to_pandas(self) -> Any:
        """`table` as a data frame of pandas."""
        return self.table().to_pandas()

    def recorded(self) -> pa.Table:
        """The games, or their plies, that were recorded in columns, as an Arrow table.

        Raises:
            InputError: the simulation was not asked to record them in columns.
        """
        import pyarrow.parquet as pq

        if self.record is None or self.record.suffix != ".parquet":
            raise InputError("the games were not recorded in columns: ask for record='games.parquet'")
        return pq.read_table(self.record)


def simulate(
    game: str,
    first: str,
    second: str,
    games: int,
    *,
    params: Mapping[str, Any] | None = None,
    seed: int = 0,
    match: int = 0,
    swap: bool = False,
    openings: int = 0,
    opening_plies: int = 6,
    policy: Policy | None = None,
    stop_when_ci: float | None = None,
    sprt: Sprt | None = None,
    interval: Method = "wilson",
    confidence: float = 0.95,
    record: str | Path | None = None,
    record_by: str = "game",
    force: bool = False,
    jobs: int | None = None,
    fresh: bool = False,
) -> Simulated:
    """Play `games` games between two players, by name such as ``perfect`` or bots as in `arena match run`.

    The arguments are the options of `arena simulate`, and the numbers are the same as there. Broken off, the
    same call goes on from where it was, unless `fresh`. How far it is, the logger ``arena.research`` says.

    Raises:
        InputError, GameError, ValueError: what is asked for is impossible; the message says why.
        LocalError: a process that played was killed, or another one is at the same simulation.
        KeyboardInterrupt: it was interrupted, and can go on.
    """
    rules = find_game(game, params)
    _check((games, openings, opening_plies, jobs), (first, second), sprt)
    share_interval(0, 1, confidence, interval)
    players = simulated_player(first, rules, _following), simulated_player(second, rules, _following)
    drawn = (openings, opening_plies)
    about = {"games": games, "seed": seed, "match": match, "swap": swap, "openings": drawn, "policy": policy}
    spec = make_spec(rules, players, record_games=record is not None, **about)  # type: ignore[arg-type]  # its own
    plan = Plan(
        spec=spec,
        rule=rule_name(stop_when_ci, confidence, interval, sprt),
        stop=_stop(spec, stop_when_ci, sprt, confidence, interval),
        every=sprt.every if sprt else CHECK_EVERY,
        record=None if record is None else Path(record),
        rows=RowOf(record_by),
        force=force,
    )
    return _told(plan, _ran(plan, jobs, fresh=fresh), sprt, confidence, interval)


def _check(counts: Sequence[Any], players: Sequence[Any], sprt: Any) -> None:
    """See that all is of its kind before anything is played."""
    for (name, least), given in zip(COUNTS.items(), counts, strict=True):
        if given is None and name == "jobs":
            continue
        if not isinstance(given, Integral) or given < least:
            raise InputError(f"{name} is a whole number from {least} on, not {given!r}")
    for given in players:
        if not isinstance(given, str):
            raise InputError(f"a player is told by its name, such as 'perfect', not {given!r}")
    if not isinstance(sprt, Sprt | None):
        raise InputError(f"sprt is a research.Sprt, such as Sprt(elo0=0, elo1=10), not {sprt!r}")


def _ran(plan: Plan, jobs: int | None, *, fresh: bool) -> Ran:
    """What was played, to its end."""
    ran = run(plan, jobs=jobs, folder=None, fresh=fresh, watch=Watch(LOG.info, _showing))
    if ran.interrupted:
        raise KeyboardInterrupt
    if ran.trouble:
        raise LocalError(ran.trouble)
    return ran


def _stop(
    spec: SimulationSpec, half_width: float | None, sprt: Sprt | None, confidence: float, interval: Method
) -> Callable[[Tally], bool] | None:
    if sprt is not None and half_width is not None:
        raise InputError("a simulation ends by sprt or by stop_when_ci, not by both; leave out one")
    if sprt is not None:
        return decided_by(spec, sprt)
    return None if half_width is None else stop_at(spec, half_width, confidence, interval)


def _told(plan: Plan, ran: Ran, sprt: Sprt | None, confidence: float, interval: Method) -> Simulated:
    summary = summarise(plan.spec, ran.tally, confidence, interval)
    return Simulated(
        spec=plan.spec,
        tally=ran.tally,
        first=None if summary["first"] is None else _outcome(summary["first"]),
        by_seat={each["seat"]: _outcome(each) for each in summary["by_seat"]},
        plies_mean=summary["plies_mean"],
        sprt=None if sprt is None else sprt_summary(sprt, ran.tally, confidence),
        stopped=ran.stopped,
        seconds=ran.seconds,
        played_now=ran.played_now,
        summary=summary,
        record=plan.record,
    )


def _outcome(told: Mapping[str, Any]) -> Outcome:
    score, shares = told["score"], told["shares"]
    return Outcome(
        wins=told["wins"],
        draws=told["draws"],
        losses=told["losses"],
        shares={name: (each["share"], Interval(each["low"], each["high"])) for name, each in shares.items()},
        score=Estimate(score["mean"], score["error"], Interval(score["low"], score["high"]), score["method"]),
    )


@contextlib.contextmanager
def _following(what: str) -> Iterator[Callable[[int, int], None]]:
    LOG.info("%s", what)
    yield lambda done, total: LOG.debug("%s: %d of %d", what, done, total)


@contextlib.contextmanager
def _showing(total: int, begun: int) -> Iterator[Callable[[int], None]]:
    del begun
    yield lambda done: LOG.debug("games: %d of %d", done, total)
