"""Players that are learned from self-play: the plan, what is asked of a worker, and doing it."""
