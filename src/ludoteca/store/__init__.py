"""Matches, people and tables in a database."""
from ludoteca.store.folder import StoreError, data_folder, database_url, secret_key
from ludoteca.store.store import (
    OPEN,
    Conflict,
    Favourite,
    Line,
    Live,
    Person,
    Report,
    SeatInfo,
    SeatPlan,
    Status,
    Store,
    Table,
    Token,
    check_matches,
    new_id,
)

__all__ = ['OPEN', 'Conflict', 'Favourite', 'Line', 'Live', 'Person', 'Report', 'SeatInfo', 'SeatPlan', 'Status', 'Store',
           'StoreError', 'Table', 'Token', 'check_matches', 'data_folder', 'database_url', 'new_id', 'secret_key']
