"""`arena config`: every setting that is in force."""

from __future__ import annotations

from arena.cli.shared.options import AsJson, Data
from arena.cli.shared.output import note, print_json, print_table
from arena.core.words import say


def config(data: Data = None, as_json: AsJson = False) -> None:
    """Show every setting that is in force, and where it comes from; secrets are not shown.

    A variable of the environment goes before the same setting in `arena.toml`, which is looked for in the
    data folder unless ARENA_CONFIG names it; an option goes before both.
    """
    from arena.cli.server.in_force import has_server, settings_in_force

    found = settings_in_force(data)
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
