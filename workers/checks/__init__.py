"""How a submitted bot is checked before it may play."""
