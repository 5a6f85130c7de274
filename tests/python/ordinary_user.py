"""Python programs that file permissions hold for, also where root runs the tests."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


def run_as_ordinary_user(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs `python words...` without root's right to pass over permissions."""
    library = ctypes.CDLL(None)  # found before the fork

    def give_up_rights() -> None:
        for right in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            library.prctl(_PR_CAPBSET_DROP, right, 0, 0, 0)  # refused to those who have none

    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        preexec_fn=give_up_rights,
        capture_output=True,
        text=True,
        check=False,
    )
