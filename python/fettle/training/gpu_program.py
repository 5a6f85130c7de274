"""Whether a program computes on a GPU: it has code for one, or is linked to CUDA's libraries."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from fettle.core.native import native

_CODE = b".nv_fatbin"
_LIBRARIES = tuple(
    f"libcu{one}".encode()
    for one in ("da.so", "dart.so", "blas.so", "sparse.so", "solver.so", "fft.so", "rand.so")
)


def uses_gpu(program: Path) -> bool:
    """By the sections of an ELF file; False for any other file."""
    try:
        with program.open("rb") as file:
            return any(_is_cuda(name, text) for name, text in _sections(file))
    except (OSError, struct.error, ValueError):
        return False


@lru_cache(maxsize=1)
def gpu_name() -> str:
    """The first GPU that this process sees; empty where there is none."""
    name: str = native().gpu_features(0)[0]
    return name


def _is_cuda(name: bytes, text: bytes) -> bool:
    if name == _CODE:
        return True
    return name == b".dynstr" and any(one.startswith(_LIBRARIES) for one in text.split(b"\0"))


def _sections(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """The names of a 64-bit little-endian ELF file's sections; of `.dynstr` the content, too."""
    header = file.read(64)
    if header[:6] != b"\x7fELF\x02\x01":
        return
    (table,) = struct.unpack_from("<Q", header, 0x28)
    size, count, names_at = struct.unpack_from("<3H", header, 0x3A)
    file.seek(table)
    entries = file.read(size * count)
    places = [struct.unpack_from("<IIQQQQ", entries, size * k) for k in range(count)]
    names = _content(file, places[names_at])
    for place in places:
        name = names[place[0] : names.index(b"\0", place[0])]
        yield name, _content(file, place) if name == b".dynstr" else b""


def _content(file: BinaryIO, place: tuple[int, ...]) -> bytes:
    file.seek(place[4])
    return file.read(place[5])
