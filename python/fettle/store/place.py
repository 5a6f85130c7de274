"""Opens the store that a text names: a file's path, or the address of a server."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from fettle.store.address import is_address
from fettle.store.base import Store, StoreError

SCHEMES = ("redis", "rediss", "unix")


def open_store(place: str | Path, *, must_exist: bool = False) -> Store:
    """The store at a place: a SQLite file, or `redis://host:port/number`. Raises StoreError.

    A file that is not there is created, unless it `must_exist`.
    """
    if isinstance(place, str) and is_address(place):
        scheme = urlsplit(place).scheme
        if scheme not in SCHEMES:
            raise StoreError(
                f"a store cannot be of the kind {scheme}://; give a file, or redis://HOST:PORT/NUMBER"
            )
        from fettle.store.redis_store import RedisStore

        return RedisStore(place)
    from fettle.store.sqlite import SqliteStore

    if not str(place):
        raise StoreError("an empty text is no store; give a file, such as fettle.sqlite")
    if Path(place).is_dir():
        raise StoreError(
            f"{place} is a folder; give a file, such as {Path(place) / 'fettle.sqlite'}"
        )
    if must_exist and not Path(place).is_file():
        raise StoreError(
            f"the file {place} does not exist; give the tuner's database, fettle.sqlite beside the "
            "tuning script unless it was given another name, or a server as redis://HOST/0"
        )
    return SqliteStore(Path(place))
