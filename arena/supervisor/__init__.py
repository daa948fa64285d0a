"""Keeps the arena's processes running on one machine: starts them, starts them again, stops them all."""
