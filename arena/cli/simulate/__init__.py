"""`arena simulate`: many games, here or on the arena's workers, and what they come to."""
