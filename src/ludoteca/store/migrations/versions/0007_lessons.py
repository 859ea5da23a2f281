"""How far lessons have come, and how many have begun and finished each of their steps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0007'
down_revision = '0006'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'lessons',
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('lesson', sa.String(40), nullable=False),
        sa.Column('step', sa.Integer, nullable=False),
        sa.Column('furthest', sa.Integer, nullable=False),
        sa.Column('accepted', sa.String(40), nullable=False),
        sa.Column('until', sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint('table_id', name='pk_lessons'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_lessons_table_id_tables'),
    )
    op.create_table(
        'lesson_counts',
        sa.Column('game', sa.String(40), nullable=False),
        sa.Column('lesson', sa.String(40), nullable=False),
        sa.Column('step', sa.Integer, autoincrement=False, nullable=False),
        sa.Column('begun', sa.Integer, nullable=False),
        sa.Column('finished', sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint('game', 'lesson', 'step', name='pk_lesson_counts'),
    )
