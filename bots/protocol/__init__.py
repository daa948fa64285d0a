"""The protocol `arena/1`: one JSON object a line, the referee on a bot's stdin, the bot on its stdout."""

PROTOCOL = "arena/1"
