"""How a match is played: the contract, the clock, the referee, the sessions, and the worker's tasks."""
