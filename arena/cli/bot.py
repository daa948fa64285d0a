"""`arena bot`: submitting bots."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.connection import connect, connect_with_token
from arena.cli.failures import UsageError
from arena.cli.options import AsJson, bot_name
from arena.cli.output import print_json, print_line, print_table

app = typer.Typer(no_args_is_help=True)

SKIPPED = {"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache"}


@app.command()
def submit(
    path: Annotated[Path, typer.Argument(help="A .py file, a .zip, or a folder with main.py.")],
    name: Annotated[str | None, typer.Option(help="The bot's name [default: the file's].")] = None,
    owner: Annotated[str | None, typer.Option(help="Whose bot it is to be; for the staff only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Submit a bot's files as a new version of the bot."""
    filename, data = read_submission(path)
    bot = name or bot_name(path.resolve().name.removesuffix(path.suffix))
    with connect_with_token() as client:
        made = client.submit(bot, filename, data, owner)
    if as_json:
        print_json(made)
    else:
        what = "submitted" if made["created"] else "already there"
        print_line(
            f"{made['bot']} version {made['version']} {what} ({made['archive'][:12]}, {made['size']} bytes)"
        )


def read_submission(path: Path) -> tuple[str, bytes]:
    """The file to upload: a folder becomes a zip of its files.

    Raises:
        UsageError: there is nothing at `path` that could be a bot.
    """
    try:
        if path.is_dir():
            return f"{path.resolve().name}.zip", _zipped(path)
        if path.suffix not in {".py", ".zip"}:
            raise UsageError(f"{path} is no bot; submit a .py file, a .zip, or a folder with main.py")
        return path.name, path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def _zipped(folder: Path) -> bytes:
    if not (folder / "main.py").is_file():
        raise UsageError(f"the folder {folder} has no main.py")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if SKIPPED.intersection(inside.parts):
                continue
            if path.is_symlink():
                raise UsageError(f"{path} is a link; put the file itself there, links are not taken")
            if path.is_file():
                archive.writestr(zipfile.ZipInfo(inside.as_posix()), path.read_bytes())
    return buffer.getvalue()


@app.command("list")
def list_bots(as_json: AsJson = False) -> None:
    """List all bots."""
    with connect() as client:
        bots = list(client.bots())
    if as_json:
        print_json({"bots": bots})
    else:
        rows = [(bot["name"], bot["owner"], (bot["newest"] or {}).get("version")) for bot in bots]
        print_table(("bot", "owner", ">version"), rows)
