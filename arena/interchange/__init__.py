"""Formats that other programs read and write, a module each; pure functions from and to text."""
