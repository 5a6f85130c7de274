"""The identity of a start of the program that this process is about to make."""

from __future__ import annotations

import socket
from datetime import datetime, timezone

from fettle.core.version import __version__
from fettle.store.contents import Run


def new_run(device: str = "") -> Run:
    """A run that begins now, on this host, by this version of Fettle."""
    return Run(
        host=socket.gethostname(),
        device=device,
        fettle=__version__,
        began=datetime.now(timezone.utc).isoformat(timespec="seconds"),
    )
