"""The champion: a player of Reversi in C with weights learned from its own games; see `main.c`."""
