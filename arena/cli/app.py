"""All commands. What a command needs is imported when it runs, so that `arena --help` stays quick."""

from __future__ import annotations

import typer

from arena.cli import auth, bot, demo, match, service, tournament, user

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Tournaments between programs: submit bots, run timed tournaments, read the leaderboard.",
)

for command in (service.up, service.down, service.status, service.logs, service.doctor, demo.demo):
    app.command()(command)
app.add_typer(match.app, name="match")
app.add_typer(bot.app, name="bot")
app.add_typer(tournament.app, name="tournament")
app.add_typer(user.app, name="user")
app.add_typer(auth.app, name="auth")
