"""Does a match count? All that have been played so far do."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('tables', sa.Column('rated', sa.Boolean, nullable=False, server_default=sa.true()))
