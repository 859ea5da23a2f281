"""Component sets with which tables are played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0012'
down_revision = '0011'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'component_sets',
        sa.Column('name', sa.String(40), nullable=False),
        sa.Column('data', sa.JSON, nullable=False),
        sa.Column('created', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('name', name='pk_component_sets'),
    )
