"""How much of two programs is the same, whatever their names and comments: winnowing of their tokens."""
