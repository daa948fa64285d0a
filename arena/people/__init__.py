"""Who uses the arena: users with their tokens, and whole classes from a file."""
