"""The kit for writing bots: `arena_bot.py` is the one file that a bot needs."""
