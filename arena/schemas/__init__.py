"""What the API takes and gives, a module a noun: shared by the server, its clients and the command line."""
