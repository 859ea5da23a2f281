"""Work that servers leave to workers. Both tables hold what is true only while they run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0008'
down_revision = '0007'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'workers',
        sa.Column('id', sa.String(32), nullable=False),
        sa.Column('threads', sa.Integer, nullable=False),
        sa.Column('forms', sa.JSON, nullable=False),
        sa.Column('until', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('id', name='pk_workers'),
    )
    op.create_table(
        'jobs',
        sa.Column('id', sa.String(32), nullable=False),
        sa.Column('kind', sa.String(20), nullable=False),
        sa.Column('rank', sa.Integer, nullable=False),
        sa.Column('subject', sa.String(64), nullable=False),
        sa.Column('form', sa.String(64), nullable=False),
        sa.Column('payload', sa.JSON, nullable=False),
        sa.Column('seconds', sa.Double, nullable=True),
        sa.Column('asker', sa.String(32), nullable=False),
        sa.Column('wanted', sa.Double, nullable=False),
        sa.Column('created', sa.Double, nullable=False),
        sa.Column('due', sa.Double, nullable=False),
        sa.Column('status', sa.String(8), nullable=False),
        sa.Column('worker', sa.String(32), nullable=True),
        sa.Column('until', sa.Double, nullable=True),
        sa.Column('begun', sa.Double, nullable=True),
        sa.Column('tries', sa.Integer, nullable=False),
        sa.Column('result', sa.JSON, nullable=True),
        sa.PrimaryKeyConstraint('id', name='pk_jobs'),
        sa.CheckConstraint("status in ('waiting', 'running', 'done', 'failed')", name=op.f('ck_jobs_status')),
    )
    op.create_index('ix_jobs_status_rank_due', 'jobs', ['status', 'rank', 'due'])
    op.create_index('ix_jobs_asker', 'jobs', ['asker'])
    op.create_index('ix_jobs_subject', 'jobs', ['subject'])
