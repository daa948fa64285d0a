"""A host that works for an arena: its cores, what it can play, and the tasks that it takes."""
