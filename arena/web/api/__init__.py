"""The HTTP interface under `/api/v1`: it translates, the services decide."""
