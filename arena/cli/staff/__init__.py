"""`arena worker` and `arena staff`: the arena's own work."""
