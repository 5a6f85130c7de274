"""What is wrong with a store's file, in the words of the user's remedies."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def explain(error: sqlite3.Error, lock_seconds: float) -> str:
    """What a database error means for the user, and what to do."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return (
            f"another process has kept the file locked for {lock_seconds:.0f} s; end it "
            "or give this tuner a separate database file"
        )
    if "full" in text or "disk I/O" in text:
        return (
            f"cannot be written ({text}): the disk is full or failing. What was measured up to "
            "here is in the file; make room and run the same script again"
        )
    if any(part in text for part in ("not a database", "malformed", "no such", "decode")):
        return (
            f"is not a Fettle database or is damaged ({text}). Name another file where this is not "
            "the tuner's. Move it away and tune again (all inputs are then measured anew), or put "
            "back a copy, where it is"
        )
    if "unable to open" in text or "readonly" in text:
        return f"cannot be opened for writing ({text}); check the folder and its permissions"
    return text


def damaged(path: Path, what: str, error: Exception) -> str:
    """That a row of the file cannot be read."""
    return (
        f"{path} is damaged: {what} cannot be read ({error}). Measure anew what it is of (fettle "
        "tune --fresh, or tune(fresh=True)), or remove the file and tune again, which measures "
        "everything anew"
    )
