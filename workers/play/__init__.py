"""How a match is played: the clock, the referee, and the sessions with the bots."""
