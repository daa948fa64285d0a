"""Does it fit? How many matches a tournament has, how long they take, and when they are over.

Pure functions of a plan, of workers and of what matches took so far, but for `estimates`, `eta`, `observed`
and `replay_warning`, which ask the database.
"""
