"""`arena config`: every setting that is in force."""

from __future__ import annotations

from arena.cli.shared.folders import data_folder
from arena.cli.shared.options import AsJson, Data
from arena.cli.shared.output import note, print_json, print_table
from arena.core.words import say


def config(data: Data = None, as_json: AsJson = False) -> None:
    """Show every setting that is in force, and where it comes from; secrets are not shown.

    A variable of the environment goes before the same setting in `arena.toml`, which is the one that
    ARENA_CONFIG names, else that of the data folder if one is named, else the user's own; an option goes
    before both.
    """
    from arena.cli.server.in_force import has_server, settings_in_force

    found = settings_in_force(data_folder(data), by_option=data is not None)
    if as_json:
        print_json({"settings": [each._asdict() for each in found]})
        return
    columns = ("setting", "value", "from")
    rows = [
        (each.name, each.value, say("default") if each.source == "default" else each.source) for each in found
    ]
    print_table(columns, rows)
    if not has_server():
        note(say("the settings of a server are left out, as none is installed"))
