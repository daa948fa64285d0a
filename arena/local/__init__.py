"""What is done on this machine without a server: bots found and built, games played, recorded and replayed.

Nothing here prints: what is to be told while it goes on is given to a function that was handed in.
"""
