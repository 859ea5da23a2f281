"""People, tables, seats, logs and tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0001'
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'people',
        sa.Column('id', sa.String(32), nullable=False),
        sa.Column('name', sa.String(40), nullable=False),
        sa.Column('settings', sa.JSON, nullable=False),
        sa.Column('created', sa.Double, nullable=False),
        sa.Column('seen', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('id', name='pk_people'),
    )
    op.create_table(
        'tables',
        sa.Column('id', sa.String(32), nullable=False),
        sa.Column('game', sa.String(40), nullable=False),
        sa.Column('version', sa.Integer, nullable=False),
        sa.Column('players', sa.Integer, nullable=False),
        sa.Column('options', sa.JSON, nullable=False),
        sa.Column('setup', sa.JSON, nullable=True),
        sa.Column('status', sa.String(8), nullable=False),
        sa.Column('sentence', sa.Text, nullable=False),
        sa.Column('listed', sa.Boolean, nullable=False),
        sa.Column('shuffled', sa.Boolean, nullable=False),
        sa.Column('owner', sa.String(32), nullable=True),
        sa.Column('previous', sa.String(32), nullable=True),
        sa.Column('turns', sa.Integer, nullable=False),
        sa.Column('entries', sa.Integer, nullable=False),
        sa.Column('result', sa.JSON, nullable=True),
        sa.Column('created', sa.Double, nullable=False),
        sa.Column('updated', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('id', name='pk_tables'),
        sa.ForeignKeyConstraint(['owner'], ['people.id'], name='fk_tables_owner'),
        sa.ForeignKeyConstraint(['previous'], ['tables.id'], name='fk_tables_previous'),
        sa.UniqueConstraint('previous', name='uq_tables_previous'),
        sa.CheckConstraint(
            "status in ('open', 'running', 'finished', 'frozen', 'closed')", name=op.f('ck_tables_status')
        ),
    )
    op.create_index('ix_tables_owner', 'tables', ['owner'])
    op.create_index('ix_tables_status_listed_updated', 'tables', ['status', 'listed', 'updated'])
    op.create_table(
        'seats',
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('seat', sa.Integer, nullable=False),
        sa.Column('kind', sa.String(6), nullable=False),
        sa.Column('level', sa.String(40), nullable=False),
        sa.Column('person', sa.String(32), nullable=True),
        sa.Column('name', sa.String(40), nullable=False),
        sa.Column('invite', sa.String(64), nullable=True),
        sa.Column('waiting', sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint('table_id', 'seat', name='pk_seats'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_seats_table_id'),
        sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_seats_person'),
        sa.UniqueConstraint('invite', name='uq_seats_invite'),
        sa.CheckConstraint("kind in ('person', 'bot', 'open')", name=op.f('ck_seats_kind')),
    )
    op.create_index('ix_seats_person', 'seats', ['person'])
    op.create_table(
        'entries',
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('number', sa.Integer, nullable=False),
        sa.Column('kind', sa.String(8), nullable=False),
        sa.Column('seat', sa.Integer, nullable=False),
        sa.Column('action', sa.Integer, nullable=False),
        sa.Column('name', sa.Text, nullable=False),
        sa.Column('hash', sa.String(32), nullable=False),
        sa.Column('time', sa.Double, nullable=False),
        sa.PrimaryKeyConstraint('table_id', 'number', name='pk_entries'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_entries_table_id'),
    )
    op.create_table(
        'tokens',
        sa.Column('hash', sa.String(64), nullable=False),
        sa.Column('table_id', sa.String(32), nullable=False),
        sa.Column('seat', sa.Integer, nullable=False),
        sa.Column('person', sa.String(32), nullable=True),
        sa.Column('label', sa.String(40), nullable=False),
        sa.Column('created', sa.Double, nullable=False),
        sa.Column('used', sa.Double, nullable=True),
        sa.Column('revoked', sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint('hash', name='pk_tokens'),
        sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_tokens_table_id'),
        sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_tokens_person'),
    )
    op.create_index('ix_tokens_table_id', 'tokens', ['table_id'])
