"""What Alembic runs: the revisions, on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from alembic import context

from arena.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
