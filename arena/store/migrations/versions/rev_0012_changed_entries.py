"""Since which revision of its tournament what an entry made is as it is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what was made before is read anew by whoever reads it for the first time."""
    op.add_column("entries", sa.Column("revision", sa.Integer(), nullable=False, server_default="0"))
