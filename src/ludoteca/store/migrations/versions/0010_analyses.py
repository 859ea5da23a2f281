"""Boards for analysis."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0010'
down_revision = '0009'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'analyses',
        sa.Column('id', sa.String(32), nullable=False),
        sa.Column('owner', sa.String(32), nullable=False),
        sa.Column('game', sa.String(40), nullable=False),
        sa.Column('title', sa.String(60), nullable=False),
        sa.Column('tree', sa.Text, nullable=False),
        sa.Column('nodes', sa.Integer, nullable=False),
        sa.Column('shared', sa.Boolean, nullable=False),
        sa.Column('table_id', sa.String(32), nullable=True),
        sa.Column('seat', sa.Integer, nullable=False),
        sa.Column('turn', sa.Integer, nullable=False),
        sa.Column('created', sa.Double, nullable=False),
        sa.Column('updated', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('id', name='pk_analyses'),
        sa.ForeignKeyConstraint(['owner'], ['people.id'], name='fk_analyses_owner_people'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_analyses_table_id_tables'),
    )
    op.create_index('ix_analyses_owner_updated', 'analyses', ['owner', 'updated'])
