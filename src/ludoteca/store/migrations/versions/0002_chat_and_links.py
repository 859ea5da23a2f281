"""What is said at tables is kept; links are worked out from a secret key and can be shown again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'chat',
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('number', sa.Integer, nullable=False),
        sa.Column('person', sa.String(32), nullable=True),
        sa.Column('seat', sa.Integer, nullable=False),
        sa.Column('name', sa.String(40), nullable=False),
        sa.Column('text', sa.Text, nullable=False),
        sa.Column('time', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('table_id', 'number', name='pk_chat'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_chat_table_id'),
        sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_chat_person'),
    )
    # until now a hash of the link stood here, from which it cannot be shown again; the host makes a new one
    op.execute('update seats set invite = null')
