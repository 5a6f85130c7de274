"""One Redis server: its connection, what it must be, and its errors in the user's words.

A command that fails because the server is away is given again until it is back: all that the store
writes can be written twice. No message shows a password.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from fettle.store.address import without_password
from fettle.store.base import StoreError

if TYPE_CHECKING:
    import redis

PASSWORD = "FETTLE_STORE_PASSWORD"
OLDEST = (5, 0)
AWAY_SECONDS = 30.0
CLOCK_SECONDS = 60.0
IN_MEMORY = (
    "the server keeps measurements in memory only, and loses them when it ends; set 'appendonly "
    "yes' in its configuration"
)
IN_SNAPSHOTS = (
    "the server writes its memory to the disk only now and then, so that a crash loses the last "
    "minutes; set 'appendonly yes' in its configuration"
)

T = TypeVar("T")
Command = tuple[Any, ...]


class RedisServer:
    """A connection, which is opened at the first command. Raises StoreError for every failure."""

    def __init__(self, address: str, *, away_seconds: float = AWAY_SECONDS) -> None:
        self.place = without_password(address)
        self._away_seconds = away_seconds
        self._expected: tuple[str, str, bytes] | None = None
        try:
            import redis
        except ModuleNotFoundError:
            raise StoreError(
                f"{self.place}: a store on a Redis server needs the Python package redis; install "
                "it: pip install 'fettle[redis]'"
            ) from None
        self._redis = redis
        try:
            parts = urlsplit(address)
            self._password = unquote(parts.password or "") or os.environ.get(PASSWORD, "")
            database = parts.path.strip("/")
            if parts.scheme != "unix" and database and not database.isdecimal():
                raise ValueError(f"a database of a server is a number, not {database!r}")
            options: dict[str, Any] = {"password": self._password} if self._password else {}
            self._client: redis.Redis = redis.Redis.from_url(
                address,
                socket_connect_timeout=5,
                socket_timeout=60,
                protocol=2,  # which servers before 6.0 speak, too
                retry=None,  # waiting is done here, with what it takes to notice a restart
                redis_connect_func=self._on_connect,
                **options,
            )
        except ValueError as error:
            raise StoreError(
                f"{self.place} is not an address of a Redis server ({self._clean(str(error))}); "
                "write redis://HOST:PORT/NUMBER"
            ) from None

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()

    def give_up_soon(self) -> None:
        """From now on a server that is away is not waited for."""
        self._away_seconds = 0.0

    def open(self) -> None:
        """Checks that the server is there and fit. Raises StoreError."""
        try:
            found: dict[str, Any] = self._call(lambda client: client.info())
        except (self._redis.ConnectionError, self._redis.TimeoutError, OSError) as error:
            if isinstance(error, self._redis.BusyLoadingError):
                found = self.read(lambda client: client.info())
            else:
                raise StoreError(
                    f"{self.place} cannot be reached ({self._clean(str(error))}); start the server "
                    "(redis-server), and check host, port and firewall"
                ) from None
        version = str(found.get("redis_version", ""))
        numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
        if numbers < OLDEST:
            raise StoreError(
                f"{self.place} is a Redis server of version {version or 'unknown'}; the store "
                f"needs {OLDEST[0]}.{OLDEST[1]} or later: update it"
            )
        policy = str(found.get("maxmemory_policy", "noeviction"))
        if int(found.get("maxmemory", 0)) and policy.startswith("allkeys"):
            raise StoreError(
                f"{self.place} throws away what it holds when its memory is full "
                f"(maxmemory-policy {policy}): measurements would be lost. Set maxmemory-policy "
                "noeviction, or take another server"
            )
        self._is_logged = bool(int(found.get("aof_enabled", 0)))

    def expect(self, key: str, field: str, value: str) -> None:
        """From now on each new connection has to find this in the server's hash `key`."""
        self._expected = (key, field, value.encode())

    def _on_connect(self, connection: Any) -> None:
        """The client calls it for each new connection: the server may have been restarted."""
        connection.on_connect()
        if self._expected is None:
            return
        key, field, value = self._expected
        connection.send_command("HGET", key, field)
        if connection.read_response() != value:
            raise StoreError(
                f"{self.place} was restarted without what it held; restore its data and run the "
                "same script again, or run it again as it is, which measures everything anew. Set "
                "'appendonly yes' in its configuration"
            )

    def warnings(self) -> list[str]:
        """What is to be feared for measurements on this server."""
        found = []
        if not self._is_logged:
            saves = self._saves()
            if saves is not None:
                found.append(f"{self.place}: {IN_SNAPSHOTS if saves else IN_MEMORY}")
        ahead = time.time() - self.time()
        if abs(ahead) > CLOCK_SECONDS:
            found.append(
                f"{self.place}: this host's clock is {abs(ahead) / 60:.0f} minutes "
                f"{'ahead of' if ahead > 0 else 'behind'} the server's. Runs are ordered by the "
                "server's, so nothing is lost, but the times that runs say are this host's; set "
                "the clocks (NTP)"
            )
        return found

    def _saves(self) -> bool | None:
        """Whether the server writes snapshots; None where it does not say."""
        try:
            found: dict[Any, Any] = self._call(lambda client: client.config_get("save"))
        except StoreError:  # not allowed to ask
            return None
        return any(value not in ("", b"") for value in found.values())

    def time(self) -> float:
        """The server's time in seconds since 1970."""
        seconds, microseconds = self.read(lambda client: client.time())
        return int(seconds) + int(microseconds) * 1e-6

    def read(self, ask: Callable[[redis.Redis], T]) -> T:
        """What the server answers; it is waited for where it is away."""
        deadline = None
        pause = 0.05
        while True:
            try:
                return self._call(ask)
            except (self._redis.ConnectionError, self._redis.TimeoutError, OSError) as error:
                now = time.monotonic()
                deadline = deadline or now + self._away_seconds
                if now >= deadline:
                    raise StoreError(
                        f"{self.place} went away and did not come back within "
                        f"{self._away_seconds:.0f} s ({self._clean(str(error))}). What it was "
                        "given before is kept there; start it again, and run the same script again"
                    ) from None
                time.sleep(min(pause, deadline - now))
                pause = min(1.0, 2 * pause)

    def write(self, commands: Sequence[Command]) -> None:
        """Gives commands, all or none of them; they may be given twice."""

        def give(client: redis.Redis) -> None:
            pipe: Any
            with client.pipeline(transaction=True) as pipe:
                for command in commands:
                    pipe.execute_command(*command)
                pipe.execute()

        self.read(give)

    def _call(self, ask: Callable[[redis.Redis], T]) -> T:
        """Raises StoreError for what the server refuses, the client's errors where it is away."""
        try:
            return ask(self._client)
        except (self._redis.AuthenticationError, self._redis.exceptions.NoPermissionError) as error:
            raise StoreError(self._refused(str(error))) from None
        except self._redis.BusyLoadingError:
            raise
        except self._redis.ResponseError as error:
            raise StoreError(self._explained(self._clean(str(error)))) from None

    def _refused(self, text: str) -> str:
        if "permission" in text.lower() or "NOPERM" in text:
            return (
                f"{self.place}: the user may not do what the store needs ({self._clean(text)}); "
                "allow reading and writing keys that begin with fettle:, and INFO and TIME"
            )
        if self._password:
            return (
                f"{self.place} refuses the password; correct it in the environment variable "
                f"{PASSWORD}, and the user in the address (redis://USER@HOST)"
            )
        return f"{self.place} wants a password; put it into the environment variable {PASSWORD}"

    def _explained(self, text: str) -> str:
        if "NOAUTH" in text or "WRONGPASS" in text:
            return self._refused(text)
        if text.startswith("OOM") or "OOM command" in text or "maxmemory" in text:
            return (
                f"{self.place} is full: its memory limit is reached. What it was given before is "
                "kept there; raise maxmemory (CONFIG SET maxmemory), and run the same script again"
            )
        if "MISCONF" in text:
            return (
                f"{self.place} cannot write to its disk and takes no more ({text}); make room "
                "there, and run the same script again"
            )
        if "READONLY" in text:
            return (
                f"{self.place} is a replica, which takes no measurements; name the primary server"
            )
        if text.startswith(("MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN")):
            return f"{self.place} is part of a cluster; name a server that stands alone"
        if "DB index" in text:
            return f"{self.place}: the server has no database of that number; write /0"
        if "WRONGTYPE" in text:
            return (
                f"{self.place}: keys that begin with fettle: are another program's; take another "
                "database number (/1)"
            )
        return f"{self.place}: the server refuses a command ({text})"

    def _clean(self, text: str) -> str:
        text = without_password(text)
        return text.replace(self._password, "...") if getattr(self, "_password", "") else text
