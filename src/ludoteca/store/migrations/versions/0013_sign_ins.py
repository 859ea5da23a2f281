"""Links with which people go on in another browser."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0013'
down_revision = '0012'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'sign_ins',
        sa.Column('person', sa.String(32), nullable=False),
        sa.Column('hash', sa.String(64), nullable=False),
        sa.Column('until', sa.Double, nullable=False),
        sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_sign_ins_person'),
        sa.PrimaryKeyConstraint('person', name='pk_sign_ins'),
        sa.UniqueConstraint('hash', name='uq_sign_ins_hash'),
    )
