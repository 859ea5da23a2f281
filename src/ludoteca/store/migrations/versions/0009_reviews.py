"""Reviews of finished matches, turn by turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0009'
down_revision = '0008'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'reviews',
        sa.Column('key', sa.String(32), nullable=False),
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('turns', sa.Integer, nullable=False),
        sa.Column('status', sa.String(8), nullable=False),
        sa.Column('server', sa.String(32), nullable=False),
        sa.Column('until', sa.Double, nullable=False),
        sa.Column('created', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('key', name='pk_reviews'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_reviews_table_id_tables'),
        sa.CheckConstraint("status in ('running', 'stopped', 'done')", name='status'),
    )
    op.create_index('ix_reviews_table_id', 'reviews', ['table_id'])
    op.create_table(
        'judged_turns',
        sa.Column('review', sa.String(32), nullable=False),
        sa.Column('number', sa.Integer, autoincrement=False, nullable=False),
        sa.Column('judged', sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint('review', 'number', name='pk_judged_turns'),
        sa.ForeignKeyConstraint(['review'], ['reviews.key'], name='fk_judged_turns_review_reviews'),
    )
