"""`arena game`: which games there are, their rules, how bots are spoken to about them, and what is best."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.game.positions import Moves, Position, typed_position
from arena.cli.shared.commands import Commands
from arena.cli.shared.completing import games
from arena.cli.shared.failures import CliError
from arena.cli.shared.options import AsJson, Params, game_params, params_text
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.words import language, say, say_many

if TYPE_CHECKING:
    from engines.game import Game

app = Commands()

Name = Annotated[str, typer.Argument(metavar="NAME", help="The game.", autocompletion=games)]

SHOWN_AT_THE_START = 6
"""Messages of a transcript that are printed before the middle is left out: three questions, three answers."""
SHOWN_AT_THE_END = 3


@app.command("list")
def list_games(*, as_json: AsJson = False) -> None:
    """List the games with their parameters."""
    from engines.games import all_games, faults, find_game, find_presentation

    games = [find_game(name) for name in sorted(all_games())]
    for fault in faults():
        note(fault)
    if as_json:
        print_json({"games": list(map(_told, games))})
        return
    tag = language()
    rows = [
        (
            game.name,
            game.version,
            params_text(game.params),
            find_presentation(game.name).summary(game).said(tag),
        )
        for game in games
    ]
    print_table(("game", ">version", "parameters", "in short"), rows)


@app.command()
def rules(name: Name, *, param: Params = None, as_json: AsJson = False) -> None:
    """Tell a game's rules and how its moves are written, and draw its first position."""
    from arena.cli.game.rules import rule_paragraphs
    from engines.games import find_game, find_row
    from workers.core.contract import Policy
    from workers.play.policy import policy_of

    game = find_game(name, game_params(param))
    levels = find_row(name).levels
    policy = policy_of(game, Policy()).model_dump()
    start = game.draw(game.initial())
    if as_json:
        words = {"rules": game.rules, "notation": game.notation}
        told = {"policy": policy, "levels": levels, "drawing": start.split("\n")}
        print_json(_told(game) | words | told)
        return
    print_line(_heading(game))
    for paragraph in rule_paragraphs(game):
        _print_paragraph(paragraph)
    numbered = ", ".join(f"{level} {player}" for level, player in enumerate(levels, start=1))
    _print_paragraph(say("Levels for people: {numbered}", numbered=numbered))
    print_line("\n" + start)


@app.command()
def protocol(name: Name, *, param: Params = None, as_json: AsJson = False) -> None:
    """Show what a bot reads and writes in a game: the state's schema, the moves, and a real transcript."""
    from arena.cli.game.rules import notation
    from arena.local.transcript import transcript
    from engines.games import find_game

    game = find_game(name, game_params(param))
    said = transcript(game)
    if as_json:
        schema = {"notation": game.notation, "state_schema": game.state_schema()}
        print_json(_told(game) | schema | {"transcript": said})
        return
    print_line(_heading(game))
    _print_paragraph(notation(game))
    print_line(say("\nThe state, as a JSON Schema:\n"))
    print_line(json.dumps(game.state_schema(), ensure_ascii=False, indent=2))
    print_line(
        say("\nA match of the bot @random with itself, at seat 0 (→ referee, ← bot; docs/protocol.md):\n")
    )
    for line in _transcript_lines(said):
        print_line(line)


@app.command("test")
def try_laws(name: Name, *, param: Params = None, as_json: AsJson = False) -> None:
    """Try whether a game keeps the laws that all games keep; exit code 1 where it breaks one."""
    from engines.conformance import verdicts
    from engines.games import find_game

    game = find_game(name, game_params(param))
    tried = verdicts(game)
    if as_json:
        print_json(_told(game) | {"laws": [verdict._asdict() for verdict in tried]})
    else:
        print_line(_heading(game) + "\n")
        for verdict in tried:
            words = verdict.law.replace("_", " ")
            print_line(
                say("broken  {words}: {broken}", words=words, broken=verdict.broken)
                if verdict.broken
                else say("ok      {words}", words=words)
            )
    broken = [verdict.law for verdict in tried if verdict.broken]
    if broken:
        raise CliError(
            say(
                "{name} breaks {count} of {count2}",
                name=name,
                count=len(broken),
                count2=say_many("{number} law", "{number} laws", len(tried)),
            )
        )


@app.command()
def hint(
    name: Name,
    *,
    param: Params = None,
    moves: Moves = None,
    position: Position = None,
    as_json: AsJson = False,
) -> None:
    """Tell what a position is worth with perfect play, and the best moves; without one, the first."""
    from arena.cli.shared.progress import following
    from arena.local import hints
    from engines.games import find_game
    from workers.play.hints import hint as hint_of

    game = find_game(name, game_params(param))
    typed = typed_position(game, moves, position)
    state = game.initial() if typed is None else typed
    with following(say("solving {name}", name=name)) as progress:
        told = hint_of(game, state, progress)
    if as_json:
        print_json(told | {"reason": hints.reason(game, state).english or None})
        return
    print_line(game.draw(state) + "\n")
    for line in hints.hint_lines(game, state, told):
        print_line(line)


def _told(game: Game[Any]) -> dict[str, Any]:
    from engines.games import find_presentation

    description = find_presentation(game.name).summary(game).english
    return {"name": game.name, "version": game.version, "params": game.params, "description": description}


def _heading(game: Game[Any]) -> str:
    return say(
        "{name}, version {version}  {params}",
        name=game.name,
        version=game.version,
        params=params_text(game.params),
    ).rstrip()


def _print_paragraph(text: str) -> None:
    from arena.cli.game.rules import wrapped

    print_line("\n" + wrapped(text))


def _transcript_lines(said: Sequence[dict[str, Any]]) -> Iterator[str]:
    left_out = len(said) - SHOWN_AT_THE_START - SHOWN_AT_THE_END
    for number, each in enumerate(said):
        if left_out > 0 and number == SHOWN_AT_THE_START:
            yield say(
                "… {left_out} left out; --json has them all",
                left_out=say_many("{number} message", "{number} messages", left_out),
            )
        if left_out <= 0 or not 0 <= number - SHOWN_AT_THE_START < left_out:
            arrow = "→" if each["from"] == "referee" else "←"
            yield f"{arrow} {json.dumps(each['message'], ensure_ascii=False, separators=(',', ':'))}"
