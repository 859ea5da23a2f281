"""Matches, people and tables in a database."""

from ludoteca.store.data import (
    OPEN,
    ChatLine,
    Favourite,
    Person,
    SeatInfo,
    SeatPlan,
    Status,
    Table,
    Token,
    new_id,
)
from ludoteca.store.folder import StoreError, data_folder, database_url, secret_key
from ludoteca.store.matches import Conflict, Live
from ludoteca.store.store import Report, Store, check_matches

__all__ = [
    'OPEN',
    'ChatLine',
    'Conflict',
    'Favourite',
    'Live',
    'Person',
    'Report',
    'SeatInfo',
    'SeatPlan',
    'Status',
    'Store',
    'StoreError',
    'Table',
    'Token',
    'check_matches',
    'data_folder',
    'database_url',
    'new_id',
    'secret_key',
]
