"""What is played next, who plays it, and how its result is written down once."""
