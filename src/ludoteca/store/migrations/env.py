"""Run by Alembic: applies the migrations to the connection that it is given."""

from __future__ import annotations

from alembic import context

from ludoteca.store.models import Base

connection = context.config.attributes['connection']
context.configure(
    connection=connection, target_metadata=Base.metadata, render_as_batch=connection.dialect.name == 'sqlite'
)
context.run_migrations()
