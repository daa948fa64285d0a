"""The commands that start, stop and watch an arena on this machine, and the demonstration."""
