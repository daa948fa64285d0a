"""`arena admin erase`: a person's data goes, and all results stay."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.folders import data_folder
from arena.cli.shared.options import AsJson, Data
from arena.cli.shared.output import print_json, print_line
from arena.core.words import say, say_many


def erase(
    name: Annotated[str, typer.Argument(metavar="USER", help="The user's name.")],
    *,
    sources: Annotated[
        bool, typer.Option("--sources", help="Also the files of their bots, which play no more then.")
    ] = False,
    yes: Yes = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Erase a person's data: name, what they sign in with, what they wrote. Results stay, without a name."""
    from arena.administration.opening import opened, require_present
    from arena.people.erasing import erase_with_retries as forget
    from workers.programs.archive_store import ArchiveStore

    files = say(" and the files of their bots") if sources else ""
    ask_first(
        say(
            "The name of {name}, all that they sign in with, what they wrote{files} are erased for good.",
            name=name,
            files=files,
        ),
        yes=yes,
    )
    with opened(data_folder(data)) as arena:
        require_present(arena)
        erased = forget(arena.database, name, sources=sources)
        archives = ArchiveStore(arena.settings.archive_url)
        for sha in erased.archives:
            archives.remove(sha)
    if as_json:
        print_json({"name": erased.name, "bots": erased.bots, "archives": len(erased.archives)})
        return
    print_line(
        say(
            "Results name them {name} now, and {bots} {name}-bot-1 and so on.",
            name=erased.name,
            bots=say_many("{number} bot", "{number} bots", erased.bots),
        )
    )
    if sources:
        print_line(
            say_many(
                "{number} archive was removed; workers may have copies in their caches.",
                "{number} archives were removed; workers may have copies in their caches.",
                len(erased.archives),
            )
        )
    print_line(say("Backups of before still have all of it."))
