"""Declare a record like a dataclass; store it as one NumPy record.

    class State(Record):
        board: Array = field('i1', (8, 8))
        to_move: int = field('i1')

`State.DTYPE` is its dtype. An element of an array of that dtype is a `State`: its fields are attributes, in
compiled kernels (Numba sees a record) and in interpreted Python alike. Records are plain data: `states[i] =
states[j]` copies, `.tobytes()` is a key, they pickle.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class Field(NamedTuple):
    """What `field` returns: the NumPy type and the shape of one field of a record."""

    dtype: str
    shape: tuple[int, ...]


def field(dtype: str, shape: int | tuple[int, ...] = ()) -> Any:
    """Declare a field of a record: `dtype` is a NumPy type string, `shape` () for a single number."""
    return Field(dtype, (shape,) if isinstance(shape, int) else shape)


if TYPE_CHECKING:
    _Void = object  # NumPy's stubs declare np.void final
else:
    _Void = np.void


class Record(_Void):
    """Base class of records; see the module's text. Fields are laid out aligned, in the order of
    declaration."""

    __slots__ = ()
    DTYPE: np.dtype[Any]

    def __init_subclass__(cls) -> None:
        fields: dict[str, Field] = {}
        for base in reversed(cls.__mro__):
            declared = {name: value for name, value in vars(base).items() if isinstance(value, Field)}
            fields.update(getattr(base, '_FIELDS', {}))
            fields.update(declared)
        cls._FIELDS = fields
        for name in fields:
            setattr(cls, name, property(itemgetter(name)))
        layout = np.dtype([(name, f.dtype, f.shape) for name, f in fields.items()], align=True)
        cls.DTYPE = np.dtype((cls, layout))

    _FIELDS: dict[str, Field]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._FIELDS:  # compiled code refuses a misspelt field too
            raise AttributeError(f'{type(self).__name__} has no field {name!r}')
        self[name] = value

    @property
    def data(self) -> Any:
        """The record's memory as a buffer. Numba asks for it at every call of a kernel, and NumPy's own
        answer describes all fields in text first, which takes several times as long as most kernels."""
        base = self.base
        if type(base) is np.ndarray and base.size == 1 and base.dtype is self.DTYPE:
            return base
        return np.void.data.__get__(self)

    if TYPE_CHECKING:  # what np.void does
        base: Any
        dtype: np.dtype[Any]

        def __getitem__(self, name: str) -> Any: ...
        def __setitem__(self, name: str, value: Any) -> None: ...
        def tobytes(self) -> bytes: ...

    @classmethod
    def array(cls, n: int) -> npt.NDArray[Any]:
        """`n` zeroed records, shape (n,). Keep the array as long as a kernel works on one of them."""
        return np.zeros(n, cls.DTYPE)

    @classmethod
    def new(cls) -> Self:
        """One zeroed record."""
        return cls.array(1)[0]

    def __reduce__(self) -> tuple[Any, ...]:
        # NumPy's own way makes a record whose arrays are copies: what an interpreted kernel writes into them
        # would be lost
        return _record, (type(self), self.tobytes())

    def copy(self) -> Self:
        """A record of the same bytes with memory of its own."""
        # by way of bytes, since NumPy would copy field by field
        return cast(Self, np.frombuffer(bytearray(self.tobytes()), self.DTYPE)[0])


def _record(kind: type[Record], data: bytes) -> Any:
    """A record from its bytes, with memory of its own."""
    made = kind.array(1)
    made[0] = np.frombuffer(data, kind.DTYPE)[0]
    return made[0]
