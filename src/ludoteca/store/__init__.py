"""Matches, people and tables in a database."""

from ludoteca.store.analyses import Analysis
from ludoteca.store.backup import backup, restore
from ludoteca.store.database import Change, Changes
from ludoteca.store.database_lock import DatabaseLock, Occupied
from ludoteca.store.entities import (
    BEST_OF,
    OPEN,
    ChatLine,
    Favourite,
    Person,
    SeatInfo,
    SeatPlan,
    Status,
    Table,
    Token,
    added,
    goes_on,
    new_id,
)
from ludoteca.store.exercises import PuzzleCard, PuzzleDays, Sitting
from ludoteca.store.folder import StoreError, data_folder, database_file, database_url, secret_key, shown
from ludoteca.store.jobs import JobAnswer, JobFigures, NewJob, TakenJob, WorkerInfo
from ludoteca.store.lessons import LessonProgress, StepCount
from ludoteca.store.matches import Closed, Conflict, Live
from ludoteca.store.move import MoveReport, move_data
from ludoteca.store.notices import Heard, Notices
from ludoteca.store.reviews import KeptReview
from ludoteca.store.servers import News
from ludoteca.store.store import Report, Store, check_matches, unchanged

__all__ = [
    'BEST_OF',
    'OPEN',
    'Analysis',
    'Change',
    'Changes',
    'ChatLine',
    'Closed',
    'Conflict',
    'DatabaseLock',
    'Favourite',
    'Heard',
    'JobAnswer',
    'JobFigures',
    'KeptReview',
    'LessonProgress',
    'Live',
    'MoveReport',
    'NewJob',
    'News',
    'Notices',
    'Occupied',
    'Person',
    'PuzzleCard',
    'PuzzleDays',
    'Report',
    'SeatInfo',
    'SeatPlan',
    'Sitting',
    'Status',
    'StepCount',
    'Store',
    'StoreError',
    'Table',
    'TakenJob',
    'Token',
    'WorkerInfo',
    'added',
    'backup',
    'check_matches',
    'data_folder',
    'database_file',
    'database_url',
    'goes_on',
    'move_data',
    'new_id',
    'restore',
    'secret_key',
    'shown',
    'unchanged',
]
