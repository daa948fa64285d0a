"""Simulations: a great number of games of one kind between the same two players, counted with integers only.

A game depends on nothing but the spec and its index. So any split into chunks, played anywhere and in any
order, comes to the same numbers.
"""
