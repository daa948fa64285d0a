"""What the API and the pages answer, a module a subject: schemas, made from rows and results."""
