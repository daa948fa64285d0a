"""`arena tournament`: planning, running and reading tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.completing import references
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import CliError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import (
    AsJson,
    Force,
    GameName,
    Params,
    RatingModel,
    TimeOptions,
    TournamentName,
    game_params,
)
from arena.cli.shared.output import print_json, print_line, print_table
from arena.cli.tournament import class_report
from arena.cli.tournament.amendments import register as register_amendments
from arena.cli.tournament.entering import register as register_entering
from arena.cli.tournament.freezing import register as register_freezing
from arena.cli.tournament.grading import register as register_grading
from arena.cli.tournament.ladder import ladder
from arena.cli.tournament.likeness import likeness
from arena.cli.tournament.parking import register as register_parking
from arena.cli.tournament.planning import estimate, eta
from arena.cli.tournament.questions import register as register_questions
from arena.cli.tournament.rating_history import rating_history
from arena.cli.tournament.standings import register as register_numbers
from arena.cli.tournament.tables import print_crosstable, print_leaderboard, print_ratings
from arena.core.terms import ExportFormat, MatchState, TournamentState
from arena.core.words import say, say_many
from arena.theory.pairing.contract import FormatName
from engines import USUAL_GAME

if TYPE_CHECKING:
    from arena.schemas.tournaments import TournamentOut

app = Commands()
register_amendments(app)
register_entering(app)
register_freezing(app)
register_questions(app)
register_grading(app)
register_parking(app)

ClassName = Annotated[str | None, typer.Option("--class", help="A class, whose organisers run it.")]
Title = Annotated[str | None, typer.Option(help="What stands over it, in any language [default: the name].")]
Heroes = Annotated[
    list[str] | None,
    typer.Option(metavar="BOT", help="A bot that a gauntlet is run against; repeatable."),
]
References = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        autocompletion=references,
        help="A reference bot that takes part, such as @random; repeatable.",
    ),
]
Order = Annotated[
    str | None,
    typer.Option(metavar="points,direct,...", help="What orders the table [default: the usual]."),
]


@dataclass(frozen=True)
class FormatOptions:
    """What the formats know, each some of it."""

    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds of a Swiss tournament.")] = None
    cycles: Annotated[int | None, typer.Option(min=1, help="How often everybody meets everybody.")] = None
    groups: Annotated[int | None, typer.Option(min=1, help="Groups before the bracket.")] = None
    qualifiers: Annotated[int | None, typer.Option(min=1, help="Who goes on from each group.")] = None
    best_of: Annotated[int | None, typer.Option(min=1, help="Games of a pairing in a bracket.")] = None
    tie_breaks: Annotated[
        int | None, typer.Option(min=0, help="Further pairs of games where a bracket's pairing is level.")
    ] = None
    third_place: Annotated[
        bool, typer.Option("--third-place", help="Have the losers of the semi-finals meet.")
    ] = False
    newcomer_games: Annotated[
        int | None, typer.Option(min=0, help="Games that a newcomer on a ladder gets at least.")
    ] = None
    seeding: Annotated[
        str | None, typer.Option(metavar="number|lot", help="The initial order: of entering, or by lot.")
    ] = None


@dataclass(frozen=True)
class LotOptions:
    """What is drawn before a tournament."""

    openings: Annotated[
        int, typer.Option(metavar="N", min=0, help="Random balanced openings; each from both seats.")
    ] = 0
    opening_plies: Annotated[int, typer.Option(metavar="P", min=0, help="Plies of an opening.")] = 6
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=2**53 - 1,
            help="Decides openings, lots and bots' seeds; else it is drawn.",
        ),
    ] = None


def _given(options: FormatOptions | LotOptions) -> dict[str, Any]:
    """Those options that have a value."""
    return {name: value for name, value in vars(options).items() if value is not None and value is not False}


@app.command()
@grouped
def create(
    name: Annotated[str, typer.Argument(help="Lower-case letters, digits and hyphens.")],
    *,
    title: Title = None,
    game: GameName = USUAL_GAME,
    param: Params = None,
    format_: Annotated[FormatName, typer.Option("--format", help="Who meets whom.")] = FormatName.ROUND_ROBIN,
    options: FormatOptions,
    hero: Heroes = None,
    reference: References = None,
    order: Order = None,
    clock: TimeOptions,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=N", help="What a bot may use, such as memory_mb=1024; repeatable."),
    ] = None,
    lots: LotOptions,
    class_name: ClassName = None,
    reuse: Annotated[
        bool, typer.Option("--reuse", help="Let reusable bots play match after match in one process.")
    ] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open it for entries at once.")] = False,
    as_json: AsJson = False,
) -> None:
    """Plan a tournament; it is a draft until it is opened."""
    left_out: dict[str, Any] = {
        "title": title,
        "reuse": reuse,
        "options": _given(options),
        "heroes": hero,
        "reference_bots": reference,
        "class_name": class_name,
        "limits": game_params(limit),
        "standings_order": [word.strip() for word in order.split(",")] if order else None,
    }
    plan = {
        "name": name,
        "game": game,
        "params": game_params(param),
        "format": format_.value,
        "time": clock.control(),
        **_given(lots),
        **{field: value for field, value in left_out.items() if value},
    }
    _make(plan, opened=open_, as_json=as_json)


def _make(plan: dict[str, Any], *, opened: bool, as_json: bool) -> None:
    with connect_with_token() as client:
        made = client.create_tournament(plan)
        if opened:
            made = client.change(plan["name"], "open")
    _print_tournament(made, as_json)


def _change(name: str, action: str, as_json: bool) -> None:
    with connect_with_token() as client:
        _print_tournament(client.change(name, action), as_json)


def _print_tournament(tournament: TournamentOut, as_json: bool) -> None:
    if as_json:
        print_json(tournament)
        return
    matches = sum(tournament.matches.values())
    called = f"{tournament.name} ({tournament.title})" if tournament.title else tournament.name
    print_line(
        say(
            "{called} is {state}: {entries}, {matches}",
            called=called,
            state=tournament.state,
            entries=say_many("{number} bot", "{number} bots", tournament.entries),
            matches=say_many("{number} match", "{number} matches", matches),
        )
    )
    if tournament.trouble:
        print_line(
            say(
                "it stands still, because its format does not know how it goes on: {trouble}",
                trouble=tournament.trouble,
            )
        )


@app.command()
def show(name: TournamentName, as_json: AsJson = False) -> None:
    """Say how far a tournament is, and why if it stands still."""
    with connect() as client:
        _print_tournament(client.tournament(name), as_json)


@app.command("title")
def set_title(
    name: TournamentName,
    title: Annotated[str, typer.Argument(help="In any language; '' lets the name stand over it.")],
    as_json: AsJson = False,
) -> None:
    """Let another title stand over a tournament, at any time."""
    with connect_with_token() as client:
        _print_tournament(client.set_title(name, title or None), as_json)


@app.command("open")
def open_tournament(name: TournamentName, as_json: AsJson = False) -> None:
    """Let teams enter their bots."""
    _change(name, "open", as_json)


@app.command()
def start(name: TournamentName, as_json: AsJson = False) -> None:
    """Close the entries, draw up the schedule, and begin."""
    _change(name, "start", as_json)


@app.command()
def pause(name: TournamentName, as_json: AsJson = False) -> None:
    """Begin no more matches for now; those in play go on."""
    _change(name, "pause", as_json)


@app.command()
def resume(name: TournamentName, as_json: AsJson = False) -> None:
    """Go on after a pause."""
    _change(name, "resume", as_json)


@app.command()
def end(name: TournamentName, yes: Yes = False, as_json: AsJson = False) -> None:
    """Let a ladder end; what is planned already is still played."""
    ask_first(say("The ladder {name} ends for good once what is planned is played.", name=name), yes=yes)
    _change(name, "end", as_json)


@app.command()
def cancel(name: TournamentName, yes: Yes = False, as_json: AsJson = False) -> None:
    """Give the tournament up for good; what was played stays to be read."""
    ask_first(
        say("{name} is given up for good: matches in play are broken off, none follows.", name=name), yes=yes
    )
    _change(name, "cancel", as_json)


@app.command("list")
def list_tournaments(
    mine: Annotated[bool, typer.Option("--mine", help="Only those that you run.")] = False,
    as_json: AsJson = False,
) -> None:
    """List all tournaments, newest first."""
    with connect_with_token() if mine else connect() as client:
        tournaments = list(client.own_tournaments() if mine else client.tournaments())
    if as_json:
        print_json({"tournaments": tournaments})
        return
    columns = ("tournament", "state", "game", "format", ">bots", ">played")
    rows = [(t.name, t.state, t.game.name, t.format, t.entries, played_of(t)) for t in tournaments]
    print_table(columns, rows)


def played_of(tournament: TournamentOut) -> str:
    """How many matches of how many were played."""
    return f"{tournament.matches.get(MatchState.FINISHED, 0)}/{sum(tournament.matches.values())}"


@app.command()
def standings(
    name: TournamentName,
    crosstable: Annotated[bool, typer.Option("--crosstable", help="Everybody against everybody.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the leaderboard, or the crosstable."""
    with connect() as client:
        if crosstable:
            table = client.crosstable(name)
            print_json(table) if as_json else print_crosstable(table)
        else:
            board = client.leaderboard(name)
            print_json(board) if as_json else print_leaderboard(board)


@app.command()
def ratings(
    name: TournamentName,
    *,
    resamples: Annotated[
        int, typer.Option(metavar="N", min=0, max=1000, help="Errors by so many resamples of the openings.")
    ] = 0,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**53 - 1, help="What resamples are drawn from.")
    ] = 0,
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="How likely each is stronger than each other.")
    ] = False,
    model: RatingModel = "davidson",
    as_json: AsJson = False,
) -> None:
    """Print how strong the bots are by all games so far, in Elo, with errors."""
    with connect() as client:
        table = client.ratings(name, resamples=resamples, seed=seed, pairwise=pairwise, model=model)
    if as_json:
        print_json(table)
    else:
        print_ratings(
            table,
            say(
                "{tournament}: {state}, the mean of all bots is 0",
                tournament=table.tournament,
                state=table.state,
            ),
        )


app.command()(rating_history)
app.command()(ladder)
app.command()(estimate)
app.command()(eta)


app.command()(class_report.report)
app.command()(likeness)
register_numbers(app)


@app.command()
def watch(name: TournamentName, as_json: AsJson = False) -> None:
    """Show the progress until the tournament is over, then print the leaderboard.

    It also ends, with exit code 1, when nothing but parked matches is left.
    """
    from arena.cli.tournament.live import watch_live
    from arena.cli.tournament.parked import OnlyParkedError, ParkedNotice

    trouble: CliError | None = None
    with connect() as client:
        try:
            over = watch_live(client, name, ParkedNotice(client, name))
            if over.state == TournamentState.CANCELLED:
                trouble = CliError(say("{name} was cancelled", name=name))
        except OnlyParkedError as error:
            trouble = error
        except KeyboardInterrupt:
            raise CliError(say("no longer watching; {name} goes on without you", name=name)) from None
        board = client.leaderboard(name)
    print_json(board) if as_json else print_leaderboard(board)
    if trouble:
        raise trouble


@app.command()
def export(
    name: TournamentName,
    form: Annotated[
        ExportFormat, typer.Option("--format", help="What to write; pgn, ggf and trf are for other programs.")
    ] = ExportFormat.CSV,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write all matches of a tournament to standard output or a file."""
    check_export(output, force=force, as_json=as_json)
    with connect() as client:
        about = {"tournament": name, "format": form.value}
        write_export(client.export(name, form), output, about, force=force, as_json=as_json)
