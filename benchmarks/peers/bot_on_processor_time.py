"""A reference bot of the sources in the working folder, asked line by line, its clock being processor time.

    python -S bot_on_processor_time.py NAME     in a folder with `bots` and `engines`

Reads a line of JSON with `hello` and then lines with a request each; answers each with the move and the
seconds of processor time that it took.
"""

from __future__ import annotations

import json
import sys
import time

sys.path.insert(0, "")
time.monotonic = time.process_time  # before anything reads it: the machine's other work costs the bot no time

from bots.reference import make  # noqa: E402
from bots.sdk.arena_bot import Match, Request  # noqa: E402


def main(name: str) -> None:
    """Answer until the lines end."""
    bot = make(name)
    match = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            bot.start(message)
            match = Match(message)
            continue
        before = time.process_time()
        choice = bot.choose(Request(message, match))
        move = choice[0] if isinstance(choice, tuple) else choice
        print(json.dumps([move, time.process_time() - before]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
