"""Exercises at tables, and what people have done with puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0011'
down_revision = '0010'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'exercises',
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('exercise', sa.JSON, nullable=False),
        sa.Column('task', sa.Integer, nullable=False),
        sa.Column('kind', sa.String(8), nullable=False),
        sa.Column('tries', sa.Integer, nullable=False),
        sa.Column('said', sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint('table_id', name='pk_exercises'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_exercises_table_id_tables'),
    )
    op.create_table(
        'puzzle_cards',
        sa.Column('person', sa.String(32), nullable=False),
        sa.Column('puzzle', sa.String(60), nullable=False),
        sa.Column('game', sa.String(40), nullable=False),
        sa.Column('card', sa.JSON, nullable=False),
        sa.Column('due', sa.Double, nullable=False),
        sa.Column('solved', sa.Integer, nullable=False),
        sa.Column('failed', sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint('person', 'puzzle', name='pk_puzzle_cards'),
        sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_puzzle_cards_person_people'),
    )
    op.create_table(
        'puzzle_days',
        sa.Column('person', sa.String(32), nullable=False),
        sa.Column('day', sa.Integer, nullable=False),
        sa.Column('run', sa.Integer, nullable=False),
        sa.Column('best', sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint('person', name='pk_puzzle_days'),
        sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_puzzle_days_person_people'),
    )
