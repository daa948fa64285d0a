"""Simulations that the staff asks for, from the request to the numbers."""
