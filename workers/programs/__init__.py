"""A bot's files: archives, languages, and builds."""
