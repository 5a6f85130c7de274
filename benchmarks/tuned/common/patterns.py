"""The names in a file of sparse patterns, which matrix_cache writes (common/ndp)."""

from pathlib import Path

import numpy as np

MAGIC = b"fettle-patterns 1\n"


def names_in(path: Path) -> list[str]:
    """The matrices' names, in the order of the file."""
    content = path.read_bytes()
    if not content.startswith(MAGIC):
        raise SystemExit(f"{path} is not a file of patterns of this version")
    raw = np.frombuffer(content, dtype=np.uint8)
    ends = np.flatnonzero(raw < 128)  # where numbers end, among other places

    def numbers(at: int, count: int) -> tuple["np.ndarray[tuple[int], np.dtype[np.int64]]", int]:
        """`count` numbers from a place on, and where they end."""
        first = int(np.searchsorted(ends, at))
        last_bytes = ends[first : first + count]
        if len(last_bytes) < count:
            raise SystemExit(f"{path} ends too early")
        if count == 0:
            return np.empty(0, dtype=np.int64), at
        starts = np.concatenate([[at], last_bytes[:-1] + 1])
        end = int(last_bytes[-1]) + 1
        digit = np.arange(at, end) - np.repeat(starts, last_bytes + 1 - starts)
        parts = (raw[at:end].astype(np.int64) & 127) << (7 * digit)
        return np.add.reduceat(parts, starts - at), end

    names = []
    at = len(MAGIC)
    while at < len(content):
        (length,), at = numbers(at, 1)
        names.append(content[at : at + int(length)].decode())
        (rows, _columns), at = numbers(at + int(length), 2)
        lengths, at = numbers(at, int(rows))
        _, at = numbers(at, int(lengths.sum()))
    return names
