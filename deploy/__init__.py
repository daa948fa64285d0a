"""Checks and scripts around releases; nothing here is part of what is installed."""
