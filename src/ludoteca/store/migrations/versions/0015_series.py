"""Which game of a best of three is played at a table; seats have no links of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = '0015'
down_revision = '0014'
branch_labels = None
depends_on = None

# SQLite copies the table, and does not tell Alembic of its checks
SEATS = sa.Table(
    'seats',
    sa.MetaData(),
    sa.Column('table_id', sa.String(32), nullable=False),
    sa.Column('seat', sa.Integer, nullable=False),
    sa.Column('kind', sa.String(6), nullable=False),
    sa.Column('level', sa.String(40), nullable=False),
    sa.Column('person', sa.String(32), nullable=True),
    sa.Column('name', sa.String(40), nullable=False),
    sa.Column('invite', sa.String(64), nullable=True),
    sa.Column('waiting', sa.Boolean, nullable=False),
    sa.Column('colour', sa.String(8), nullable=False, server_default=''),
    sa.PrimaryKeyConstraint('table_id', 'seat', name='pk_seats'),
    sa.ForeignKeyConstraint(['table_id'], ['tables.id'], name='fk_seats_table_id'),
    sa.ForeignKeyConstraint(['person'], ['people.id'], name='fk_seats_person'),
    sa.CheckConstraint("kind in ('person', 'bot', 'open')", name='ck_seats_kind'),
    sa.Index('ix_seats_person', 'person'),
)


def upgrade() -> None:
    op.add_column('tables', sa.Column('series', sa.Integer, nullable=False, server_default='0'))
    with op.batch_alter_table('seats', copy_from=SEATS) as seats:
        seats.drop_column('invite')
