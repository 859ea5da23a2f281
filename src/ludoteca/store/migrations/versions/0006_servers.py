"""What several servers of one database tell each other. Only additions: a server of the version before goes
on while this one starts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0006'
down_revision = '0005'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('tables', sa.Column('revision', sa.Integer, nullable=False, server_default='0'))
    op.add_column('tables', sa.Column('shown', sa.Integer, nullable=False, server_default='0'))
    op.add_column('notes', sa.Column('changes', sa.Integer, nullable=False, server_default='0'))
    op.create_table(
        'servers',
        sa.Column('id', sa.String(32), primary_key=True),
        sa.Column('until', sa.Double, nullable=False),
    )
    op.create_table(
        'leases',
        sa.Column('table_id', sa.String(32), sa.ForeignKey('tables.id'), primary_key=True),
        sa.Column('server', sa.String(32), nullable=False),
        sa.Column('until', sa.Double, nullable=False),
    )
    op.create_table(
        'presence',
        sa.Column('table_id', sa.String(32), sa.ForeignKey('tables.id'), primary_key=True),
        sa.Column('person', sa.String(32), sa.ForeignKey('people.id'), primary_key=True),
        sa.Column('server', sa.String(32), nullable=False, index=True),
        sa.Column('here', sa.Boolean, nullable=False),
    )
    op.create_table(
        'marks',
        sa.Column('name', sa.String(40), primary_key=True),
        sa.Column('value', sa.String(64), nullable=False),
    )
