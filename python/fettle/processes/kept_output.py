"""What a program prints: its beginning and its end, however much there is between."""

from __future__ import annotations

import fcntl
import os
import tempfile

KEPT = 64 * 1024  # bytes of the beginning, and as many of the end
LARGEST = 1024 * 1024  # bytes that the file may grow to before it is cut


class KeptOutput:
    """A file without a name for a program to write to; `trim`, called now and then, keeps it small.

    A file, not a pipe: the program never waits for a reader, and nothing reads while it is timed.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by close()
        # The program writes on at the end of what is left when the file is cut.
        fcntl.fcntl(self._file, fcntl.F_SETFL, os.O_APPEND)
        self._head = b""
        self._tail = b""
        self._cut = 0  # bytes that are in the file no more

    def fileno(self) -> int:
        """For subprocess."""
        return self._file.fileno()

    def close(self) -> None:
        """The file goes."""
        self._file.close()

    def trim(self) -> None:
        """Cuts the file where it has become large."""
        size = os.fstat(self.fileno()).st_size
        if size > LARGEST:
            if not self._cut:
                self._head = os.pread(self.fileno(), KEPT, 0)
            self._tail = os.pread(self.fileno(), KEPT, size - KEPT)
            os.ftruncate(self.fileno(), 0)
            self._cut += size

    def text(self) -> str:
        """All that was printed, or its beginning and its end."""
        size = os.fstat(self.fileno()).st_size
        if not self._cut and size <= 2 * KEPT:
            return _decoded(os.pread(self.fileno(), size, 0))
        head = self._head if self._cut else os.pread(self.fileno(), KEPT, 0)
        last = os.pread(self.fileno(), KEPT, max(0, size - KEPT))
        tail = (self._tail + last)[-KEPT:]
        left_out = self._cut + size - len(head) - len(tail)
        return f"{_decoded(head)}\n[... {left_out} bytes left out ...]\n{_decoded(tail)}"


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
