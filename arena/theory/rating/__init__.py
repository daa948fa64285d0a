"""How strong the bots of a tournament are, from who beat whom: maximum likelihood, with errors.

Pure functions of counted games: the order in which they were played changes nothing. They need SciPy.
"""
