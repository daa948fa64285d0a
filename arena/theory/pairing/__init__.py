"""Who meets whom: pure functions from entries and a format to a schedule."""
