"""Which game of a best of three is played at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0015'
down_revision = '0014'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('tables', sa.Column('series', sa.Integer, nullable=False, server_default='0'))
