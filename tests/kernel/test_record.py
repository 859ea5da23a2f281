"""Records: fields as attributes, in Python and in kernels; plain data."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest

from ludoteca.kernel import Array, Record, field, kernel


class Board(Record):
    """Some fields that need alignment."""

    size: int = field('i1')
    key: int = field('i8')
    cells: Array = field('i2', (2, 3))
    value: float = field('f8')


class Wider(Board):
    """Everything of Board, and more."""

    more: Array = field('u4', 4)


class Changed(Board):
    """A field declared anew keeps its place."""

    size: int = field('i4')


class Inner(Record):
    x: int = field('i4')


@kernel
def fill(s: Any) -> int:
    s.size = 7
    s.cells[1] = 5
    s.cells[0, 2] -= 3
    s.key = 1 << 40
    return int(s.size + s.cells[0, 2])


def test_fields_are_attributes_in_python_and_in_kernels() -> None:
    s: Any = Board.new()
    assert fill(s) == 4
    assert (s.size, s.key, s.value) == (7, 1 << 40, 0)
    assert s.cells.tolist() == [[0, 0, -3], [5, 5, 5]]
    s.size, s.cells[0, 0], s.value = 3, 9, 0.5
    assert (s['size'], s['cells'][0, 0], s['value']) == (3, 9, 0.5)


def test_fields_lie_aligned_in_the_order_of_declaration() -> None:
    assert Board.DTYPE.names == ('size', 'key', 'cells', 'value')
    assert Board.DTYPE.isalignedstruct
    assert Board.DTYPE.fields is not None
    assert Board.DTYPE.fields['key'][1] % 8 == 0


def test_records_inherit_fields() -> None:
    assert Wider.DTYPE.names == ('size', 'key', 'cells', 'value', 'more')
    assert Changed.DTYPE.names == ('size', 'key', 'cells', 'value')
    assert Changed.DTYPE['size'] == np.dtype('i4')
    assert Board.DTYPE['size'] == np.dtype('i1'), 'a subclass changed its base'
    s: Any = Wider.new()
    assert fill(s) == 4
    s.more[:] = 1
    assert s.more.sum() == 4


def test_a_misspelt_field_is_refused() -> None:
    s: Any = Board.new()
    with pytest.raises(AttributeError):
        _ = s.colour


def test_an_element_of_an_array_is_the_record() -> None:
    boards = Board.array(3)
    assert boards.shape == (3,)
    assert isinstance(boards[1], Board)
    boards[1].size = 4
    assert boards['size'].tolist() == [0, 4, 0]
    boards[2] = boards[1]
    boards[1].size = 5
    assert boards['size'].tolist() == [0, 5, 4]


def test_copies_have_memory_of_their_own() -> None:
    s: Any = Board.new()
    fill(s)
    t = s.copy()
    assert type(t).__name__ == 'Board'
    assert t.tobytes() == s.tobytes()
    t.size, t.cells[1, 1] = 1, 1
    assert (s.size, s.cells[1, 1]) == (7, 5)
    array = Board.array(2)
    of_element = array[0].copy()
    of_element.size = 9
    assert array['size'].tolist() == [0, 0]
    for other in (copy(s), deepcopy(s)):
        other.cells[1, 1] = 6
        assert (other.key, other.cells[1, 0], s.cells[1, 1]) == (s.key, 5, 5)


def test_a_copy_keeps_its_memory_alive() -> None:
    copies = []
    for k in range(200):
        s: Any = Board.new()
        s.key = k
        copies.append(s.copy())
    assert [s.key for s in copies] == list(range(200))


@pytest.mark.parametrize('protocol', range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_records_pickle(protocol: int) -> None:
    s: Any = Wider.new()
    fill(s)
    t: Any = pickle.loads(pickle.dumps(s, protocol))
    assert type(t).__name__ == 'Wider'
    assert t.tobytes() == s.tobytes()
    assert t.cells.tolist() == s.cells.tolist()
    t.cells[1, 2] = 77
    assert t.cells[1, 2] == 77, 'what is written into an array of the record is lost'
    assert s.cells[1, 2] != 77
    boards = pickle.loads(pickle.dumps(Wider.array(2), protocol))
    assert isinstance(boards[0], Wider)


def test_bytes_are_the_whole_record() -> None:
    s: Any = Board.new()
    fill(s)
    t: Any = np.frombuffer(bytearray(s.tobytes()), Board.DTYPE)[0]
    assert type(t).__name__ == 'Board'
    assert t.cells.tolist() == s.cells.tolist()
    assert {s.tobytes(): 1}[s.copy().tobytes()] == 1


@pytest.mark.interpreted
def test_kernels_are_plain_python_when_interpreted() -> None:
    s: Any = Board.new()
    assert fill(s) == 4
    assert not hasattr(fill, 'python')


def test_the_memory_of_a_record_is_its_own_wherever_it_lies() -> None:
    boards = Board.array(3)
    for board in (boards[1], boards[1:2][0], Board.new(), Board.new().copy()):
        board.size = 3
        memory = np.frombuffer(board.data, np.uint8)
        assert memory.tobytes() == board.tobytes()
        board.size = 9
        assert memory.tobytes() == board.tobytes()
