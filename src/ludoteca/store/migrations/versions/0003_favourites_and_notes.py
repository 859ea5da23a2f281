"""Arrangements that people like to use again, and what they pencil on others' pieces."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'favourites',
        sa.Column('id', sa.String(32), nullable=False),
        sa.Column('person', sa.String(32), nullable=False),
        sa.Column('game', sa.String(40), nullable=False),
        sa.Column('name', sa.String(40), nullable=False),
        sa.Column('steps', sa.Text, nullable=False),
        sa.Column('created', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('id', name='pk_favourites'),
        sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_favourites_person'),
        sa.UniqueConstraint('person', 'game', 'name', name='uq_favourites_person_game_name'),
    )
    op.create_table(
        'notes',
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('seat', sa.Integer, nullable=False),
        sa.Column('labels', sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint('table_id', 'seat', name='pk_notes'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_notes_table_id'),
    )
