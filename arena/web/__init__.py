"""The one application, and the two faces that it has: the API for programs, the pages for people."""
