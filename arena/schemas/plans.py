"""The plan of a tournament or of an experiment: what somebody asks for when creating one."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from arena.core.errors import Worded
from arena.core.names import BOT_PREFIX, SLUG, check_slug
from arena.schemas.games import GameName
from arena.schemas.tournaments import Title
from arena.theory.pairing.contract import FormatName
from arena.theory.statistics.intervals import Method
from arena.theory.statistics.sprt import Sprt
from workers.core.contract import Frozen, Limits, Policy, TimeControl
from workers.core.host_limits import exceeded, excess
from workers.simulation.contract import MAX_GAMES, RowOf

SEEDS = 2**53
"""How many seeds there are: as many as JSON's numbers hold everywhere."""

MAX_EXPERIMENT_OPENINGS = 100


NO_NAMES = frozenset({"new", "seasons"})
"""What no tournament is called: there stand other pages below `/manage`."""

BRACKETS = frozenset({FormatName.KNOCKOUT, FormatName.GROUPS})
"""The formats in which a game decides who goes on."""

SWISS = frozenset({FormatName.SWISS, FormatName.SWISS_DUTCH})
"""The formats in which who meets whom follows from the points."""

SHORT_EXTENSION = (
    "an extended answer would have %(extension_ms)s ms, less than the %(move_ms)s ms of any other: give "
    "extension_ms of at least move_ms, or extensions 0"
)
NO_RESERVE = "increment_ms adds to a reserve, and there is none: give bank_ms too"
EXCESSIVE = "%(excess)s: ask for less, or let the staff raise what the hosts give"
NO_HEROES = "a gauntlet has heroes, and no other format has: name its bots in heroes"
SAME_OPENINGS = "openings of 0 plies are all the same: give opening_plies, or at most one opening"


class PlanError(Worded, ValueError):
    """Fields of a plan do not go together, or a limit is above what the hosts give."""


class OrderedError(PlanError):
    """What is asked for of an experiment does not go together."""


def _sensible(time: TimeControl) -> TimeControl:
    if time.extensions and time.extension_ms < time.move_ms:
        raise PlanError(SHORT_EXTENSION, extension_ms=time.extension_ms, move_ms=time.move_ms)
    if time.increment_ms and time.bank_ms is None:
        raise PlanError(NO_RESERVE)
    return time


SensibleTime = Annotated[TimeControl, AfterValidator(_sensible)]


def _possible(limits: Limits) -> Limits:
    if too_much := excess(limits):
        raise PlanError(EXCESSIVE, excess=too_much, **exceeded(limits))
    return limits


PossibleLimits = Annotated[Limits, AfterValidator(_possible)]


def _addressable(name: str) -> str:
    if check_slug(name) in NO_NAMES:
        raise ValueError(f"at {name!r} stands another of the pages; choose another name")
    return name


class TournamentPlan(Frozen):
    """Everything that a tournament is decided by, besides its entries.

    With `openings` at 0 each pairing of a cycle is one game from the initial position. Otherwise each
    pairing plays every opening from both seats; an opening is `opening_plies` balanced random moves. Every
    cycle has openings of its own, and all cycles together have at most 40. Openings, lots and the bots' seeds
    come from `seed`; without one it is drawn, so that nobody can prepare for them.

    With `reuse` a bot that says it is reusable may play match after match in one process.

    `options` are those of the format; the heroes of a gauntlet are named by `heroes`. The table is ordered by
    `standings_order`; where it is empty, by what is usual.
    """

    name: Annotated[str, AfterValidator(_addressable), Field(json_schema_extra={"pattern": SLUG})]
    title: Annotated[
        Title | None, Field(description="What stands over it, in any language, instead of its name.")
    ] = None
    class_name: Annotated[
        str | None,
        Field(max_length=60, description="The class that it is for: its organisers run it too."),
    ] = None
    game: GameName
    params: dict[str, Any] = Field(default_factory=dict)
    format: FormatName = FormatName.ROUND_ROBIN
    options: Annotated[
        dict[str, Any], Field(description="Of the format, such as `rounds` of a Swiss tournament.")
    ] = Field(default_factory=dict)
    heroes: Annotated[tuple[str, ...], Field(max_length=100, description="The bots of a gauntlet.")] = ()
    standings_order: Annotated[
        tuple[str, ...], Field(max_length=30, description="What orders the table, the first first.")
    ] = ()
    reference_bots: Annotated[
        tuple[str, ...],
        Field(
            max_length=20,
            description="Reference bots such as `random`: handed in, checked and entered by themselves.",
        ),
    ] = ()
    time: SensibleTime = TimeControl()
    limits: PossibleLimits = Limits()
    openings: Annotated[int, Field(ge=0, le=100, description="How many in each cycle.")] = 0
    opening_plies: Annotated[int, Field(ge=0, le=100)] = 6
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] | None = None
    reuse: Annotated[
        bool,
        Field(
            description="Whether the process of a reusable bot may play several matches: what it remembers "
            "and the files that it has written stay from one to the next."
        ),
    ] = False

    @model_validator(mode="after")
    def _heroes_have_a_gauntlet(self) -> Self:
        if (self.format == FormatName.GAUNTLET) != bool(self.heroes):
            raise PlanError(NO_HEROES)
        if "heroes" in self.options:
            raise ValueError("heroes are named beside the options, not among them")
        return self

    @model_validator(mode="after")
    def _openings_differ(self) -> Self:
        if self.openings > 1 and self.opening_plies == 0:
            raise PlanError(SAME_OPENINGS)
        return self


PlayerText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="A strategy of the game, as `random` or `algo3:10000`, or `bot:NAME[@VERSION]`.",
    ),
]


class ExperimentPlan(Frozen):
    """Everything that an experiment is decided by: games 0 to ``games - 1`` between two players.

    With `swap` the first player sits in seat 1 in games with an odd index, and two games in a row have the
    same opening. With `stop_when_ci` the games end early, at the first multiple of 1000 at which the
    interval around the first player's score reaches no further than this to either side. With `sprt` they
    end when that test is decided; it needs `swap`.
    """

    game: GameName
    params: dict[str, Any] = Field(default_factory=dict)
    first: PlayerText
    second: PlayerText
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)]
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] = 0
    match: Annotated[int, Field(ge=0, lt=SEEDS)] = 0
    swap: bool = False
    openings: Annotated[int, Field(ge=0, le=MAX_EXPERIMENT_OPENINGS)] = 0
    opening_plies: Annotated[int, Field(ge=0, le=100)] = 6
    policy: Policy = Policy()
    time: SensibleTime = TimeControl()
    limits: PossibleLimits = Limits()
    stop_when_ci: Annotated[float, Field(gt=0, lt=0.5)] | None = None
    sprt: Sprt | None = None
    interval: Method = "wilson"
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    chunk: Annotated[
        int | None,
        Field(ge=1, le=10**9, description="Games of a chunk; the arena finds a good number by itself."),
    ] = None
    record_games: Annotated[
        bool, Field(description="Keep every game, for games of bots; they are exported as lines of JSON.")
    ] = False
    columns: Annotated[
        RowOf | None,
        Field(description="Record the games of players by name as Parquet: a row a game, or a row a ply."),
    ] = None

    @model_validator(mode="after")
    def _recorded_in_one_way(self) -> Self:
        if self.columns is None:
            return self
        if self.record_games or self.chunk is not None:
            raise OrderedError("columns have parts of a size of their own: leave out record_games and chunk")
        if BOT_PREFIX in {self.first[: len(BOT_PREFIX)], self.second[: len(BOT_PREFIX)]}:
            raise OrderedError(
                "games of bots are recorded with record_games; columns are for players by name"
            )
        return self

    @model_validator(mode="after")
    def _one_rule_ends_it(self) -> Self:
        if self.sprt is not None and self.stop_when_ci is not None:
            raise OrderedError("an experiment ends by sprt or by stop_when_ci, not by both; leave out one")
        if self.sprt is not None and not self.swap:
            raise OrderedError("a test by pairs of games exchanges the seats: set swap")
        return self
