"""Memory of a process that plays many episodes, kept level: what Python and the C library don't give back."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys

EPISODES = 10
"""Between two times of tidying; one takes some 80 ms."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_LEVEL = ((_M_ARENA_MAX, 2), (_M_MMAP_THRESHOLD, 256 * 1024), (_M_TRIM_THRESHOLD, 1024 * 1024))
"""Of mallopt(3). By default every thread may have a heap of its own, and after the first large block that is
freed those of its size come from the heaps, too, which pictures tear to pieces."""


class Tidying:
    """Told of every episode that ends; now and then it looks for garbage and gives free memory back.

    A browser's contexts are large circles of objects, which Python's own looking, tuned for screens, leaves
    for hours.
    """

    def __init__(self) -> None:
        self._ended = 0
        self._libc = _glibc()
        if self._libc is not None:
            for name, value in _LEVEL:
                self._libc.mallopt(name, value)

    def ended(self) -> None:
        self._ended += 1
        if self._ended % EPISODES == 0:
            gc.collect()
            if self._libc is not None:
                self._libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    """The C library where it has these two functions."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        if library.mallopt and library.malloc_trim:
            return library
    return None
