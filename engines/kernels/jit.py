"""How kernels are compiled: once, into a cache that belongs to exactly these sources.

Numba notices when a function's own file has changed, but not when a compiled function that it calls has, or a
number that it takes from another module. The cache's folder is therefore named after the digest of all that
kernels are made of: their sources, and those of the games and players whose numbers they take. This package
is the only one that compiles anything.

Here too are names for what compiled functions take and return. NumPy says `Any` of an array's entry, and so
do functions that return what they reckon from one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from engines.places import user_folder

F = TypeVar("F", bound=Callable[..., object])

Bytes = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]
UInt32s = npt.NDArray[np.uint32]
Words = npt.NDArray[np.uint64]
Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.unsignedinteger]  # of values (`engines.solvers.oracle`), in one byte or two

Games = tuple[np.uint64, np.uint64]  # their run's key, and the index of the first
Policy = tuple[np.uint64, int]  # the repetition that draws (0: none), and the plies that do
Limited = tuple[np.uint64, np.uint64, int]  # games, and the plies that draw one
Span = tuple[np.uint64, np.uint64, np.uint64]  # games, and how many they are
Results = tuple[Int8s, Int32s, Int8s]  # winners, plies, ends: as in `engines.kernels.Playouts`
Columns = tuple[Int8s, Int32s, Int16s, Int8s]  # the same with the scores before the ends

MADE_OF = ("kernels", "games", "strategies")
"""The packages beside this one that kernels are made of."""


def sources() -> list[Path]:
    """Every file on which machine code depends, in a fixed order."""
    return [path for name in MADE_OF for path in sorted((Path(__file__).parents[1] / name).glob("*.py"))]


def _prepare_cache() -> bool:
    """Name the cache's folder, in the user's cache for ``bot-arena``; whether it can be written."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return True
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources())).hexdigest()
    try:
        folder = user_folder("cache", "bot-arena") / f"kernels-{digest[:16]}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # read-only, or nobody's home
        return False
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # made when Numba starts
    return os.access(folder, os.W_OK)


_CACHED = _prepare_cache()


def compiled(function: F) -> F:
    """`function` as machine code, made at its first call and kept on disk.

    It releases the interpreter while it runs. Divisions are C's: nothing is checked for zero, and no index.
    """
    made = numba.njit(cache=_CACHED, nogil=True, error_model="numpy")(function)
    return cast(F, made)
