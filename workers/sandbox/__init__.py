"""How bots are confined: one file a level, and one for each thing that the levels are made of."""
