"""The colours that people choose for their seats. Matches that have begun before have the colours of their
game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('seats', sa.Column('colour', sa.String(8), nullable=False, server_default=''))
