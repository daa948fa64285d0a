"""`arena admin`: what an administrator does on the machine of the database, whether or not the arena runs."""
