"""Scrimmages: games that a team has played for itself, which count nowhere."""
