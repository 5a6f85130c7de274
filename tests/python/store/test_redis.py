"""A Redis server that refuses, is full, is away or has forgotten: what the user is told."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from quick_classifier import QuickClassifier
from redis_here import RedisHere
from stand_in import StandIn
from test_stores import INPUT, SUBJECT, fill

from fettle import Autotuner, CodeVariant
from fettle.store.base import StoreError
from fettle.store.contents import Run
from fettle.store.redis_server import PASSWORD
from fettle.store.redis_store import RedisStore


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisHere]:
    with RedisHere(tmp_path, "--appendonly", "yes") as one:
        yield one


@pytest.fixture
def address(redis_server: RedisHere) -> str:
    """Of the server that all tests share, emptied."""
    redis_server.ask("FLUSHALL")
    return redis_server.address


def test_nobody_is_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(StoreError, match=r"cannot be reached.*start the server .redis-server"):
            RedisStore(f"redis://127.0.0.1:{port}/0")


@pytest.mark.parametrize("bad", ["redis://h:port/0", "redis://:secret@h:port/0", "redis://h/ours"])
def test_no_address(bad: str) -> None:
    pytest.importorskip("redis", reason="the Python package redis is not installed")
    with pytest.raises(StoreError, match="is not an address of a Redis server") as error:
        RedisStore(bad)
    assert "secret" not in str(error.value)


def test_without_the_python_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(StoreError, match=r"pip install 'fettle\[redis\]'"):
        RedisStore("redis://:secret@127.0.0.1:1/0")


def test_a_password_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PASSWORD, raising=False)
    with RedisHere(tmp_path, "--requirepass", "s3cret") as server:
        with pytest.raises(StoreError, match="wants a password; put it into the environment var"):
            RedisStore(server.address)
        wrong = server.address.replace("//", "//:wr0ng@")
        with pytest.raises(StoreError, match="refuses the password") as error:
            RedisStore(wrong)
        assert "wr0ng" not in str(error.value)
        monkeypatch.setenv(PASSWORD, "s3cret")
        with RedisStore(server.address) as store:
            assert store.place == server.address
        monkeypatch.delenv(PASSWORD)
        with RedisStore(server.address.replace("//", "//:s3cret@")) as store:
            fill(store)
            assert store.place == server.address
            assert "s3cret" not in "".join([*store.warnings(), *store.other_tuners(), store.guid])
            server.stop()
            store._server.give_up_soon()
            with pytest.raises(StoreError) as gone:
                store.note("k")
            assert "s3cret" not in str(gone.value)


def test_a_password_is_in_no_file_and_no_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "redis").mkdir()
    monkeypatch.chdir(tmp_path / "app")
    StandIn(Path(), variants=["small", "large"], features=["n"])
    for number in range(8):
        variants = {"small": 1e-3 * (number + 1), "large": 2.5e-3}
        call = {"features": {"n": number}, "variants": variants}
        Path(f"in{number}").write_text(json.dumps({"calls": [call]}))
    with RedisHere(tmp_path / "redis", "--requirepass", "s3cret") as server:
        made = Autotuner("app", store=server.address.replace("//", "//:s3cret@"), comparing=None)
        made.set_training_args([f"in{number}" for number in range(8)])
        [result] = made.tune([CodeVariant("f", 2, classifier=QuickClassifier())])
    assert result.effort.measured_inputs == 8
    written = [path for path in Path().rglob("*") if path.is_file()]
    names = {path.name for path in written}
    assert {"fettle_config.hpp", "model.txt", "report.html"} <= names, names
    assert not [path for path in written if b"s3cret" in path.read_bytes()]
    said = capfd.readouterr()
    assert "s3cret" not in said.out + said.err + repr(made) + repr(result)


def test_a_user_who_may_not(tmp_path: Path) -> None:
    with RedisHere(tmp_path) as server:
        server.ask("ACL", "SETUSER", "default", "resetkeys", "~other:*")
        with pytest.raises(StoreError, match="the user may not do what the store needs"):
            RedisStore(server.address)


def test_a_full_server(tmp_path: Path) -> None:
    run = Run()
    with RedisHere(tmp_path) as server, RedisStore(server.address) as store:
        fill(store)
        server.ask("CONFIG", "SET", "maxmemory", 3_000_000)
        with pytest.raises(StoreError, match=r"is full: .* kept there; raise maxmemory"):
            for _ in range(100):
                store.add_samples(SUBJECT, INPUT, 0, "a", [4.0] * 10_000, run)
        server.ask("CONFIG", "SET", "maxmemory", 0)
        assert store.examples(SUBJECT, INPUT)[0].verdicts["a"] == ("measured", "")
        store.set_note("k", "v")
        held = store.contents(SUBJECT, INPUT)
        assert all(one.count == len(one.rows) for one in held.runs.values())


def test_a_server_that_throws_away(tmp_path: Path) -> None:
    options = ("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    with (
        RedisHere(tmp_path, *options) as server,
        pytest.raises(StoreError, match=r"throws away .*allkeys-lru.* Set maxmemory-policy noev"),
    ):
        RedisStore(server.address)


def test_a_server_that_keeps_nothing_on_the_disk_is_told(tmp_path: Path, server: RedisHere) -> None:
    with RedisStore(server.address) as store:
        assert store.warnings() == []
    (tmp_path / "other").mkdir()
    with RedisHere(tmp_path / "other") as forgetful:
        with RedisStore(forgetful.address) as store:
            assert "in memory only" in store.warnings()[0]
        forgetful.ask("CONFIG", "SET", "save", "60 1")
        with RedisStore(forgetful.address) as store:
            assert "only now and then" in store.warnings()[0]


def test_a_server_that_is_restarted_in_the_middle_loses_nothing(server: RedisHere) -> None:
    run = Run()
    with RedisStore(server.address, away_seconds=20) as store:
        fill(store)
        store.add_samples(SUBJECT, INPUT, 0, "a", [1.0], run)
        server.stop()
        back = threading.Timer(0.3, server.start)
        back.start()
        store.add_samples(SUBJECT, INPUT, 0, "a", [2.0], run)
        back.join()
        stored = store.contents(SUBJECT, INPUT).runs[run.guid]
        assert [row.values for row in stored.rows] == [(1.0,), (2.0,)]
        assert stored.count == 2


def test_what_is_written_together_survives_a_restart(server: RedisHere) -> None:
    with RedisStore(server.address, away_seconds=20) as store:
        with store.together():
            fill(store)
            server.stop()
            back = threading.Timer(0.3, server.start)
            back.start()
        back.join()
        assert store.examples(SUBJECT, INPUT)[0].samples == {"a": [2.0, 1.0, 3.0]}


def test_a_server_that_comes_back_empty_is_told(tmp_path: Path) -> None:
    with RedisHere(tmp_path) as server, RedisStore(server.address, away_seconds=20) as store:
        fill(store)
        server.stop()
        server.start()
        with pytest.raises(StoreError, match="was restarted without what it held"):
            store.add_samples(SUBJECT, INPUT, 0, "a", [2.0])


def test_a_server_that_goes_away_for_good(server: RedisHere) -> None:
    with RedisStore(server.address, away_seconds=0.2) as store:
        fill(store)
        server.stop()
        with pytest.raises(StoreError, match=r"went away and did not come back .* kept there"):
            store.set_note("k", "v")
    server.start()
    with RedisStore(server.address) as store:
        assert store.examples(SUBJECT, INPUT)[0].samples == {"a": [2.0, 1.0, 3.0]}


@contextlib.contextmanager
def answering(version: str) -> Iterator[str]:
    """A server that says its version, and nothing else."""
    said = f"# Server\r\nredis_version:{version}\r\n".encode()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    one, _ = listening.accept()
                    with one, one.makefile("rwb") as lines:
                        while head := lines.readline():  # "*3", then "$4", "INFO", ...
                            words = [lines.readline() for _ in range(2 * int(head[1:]))][1::2]
                            info = words[0].strip().upper() == b"INFO"
                            answer = b"$%d\r\n%s\r\n" % (len(said), said)
                            lines.write(answer if info else b"-ERR unknown command\r\n")
                            lines.flush()

        threading.Thread(target=serve, daemon=True).start()
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("version", ["3.2.12", "4.0.9"])
def test_a_server_of_another_version(version: str) -> None:
    pytest.importorskip("redis", reason="the Python package redis is not installed")
    with (
        answering(version) as address,
        pytest.raises(StoreError, match=f"of version {version}; the store needs 5.0 or later"),
    ):
        RedisStore(address)


def test_measurements_of_another_format(address: str, redis_server: RedisHere) -> None:
    with RedisStore(address) as store:
        fill(store)
    redis_server.ask("HSET", "fettle:store", "format", "7")
    with pytest.raises(StoreError, match="format 7, this Fettle reads format 3"):
        RedisStore(address)


def test_keys_of_another_program(address: str, redis_server: RedisHere) -> None:
    redis_server.ask("SET", "fettle:store", "mine")
    with pytest.raises(StoreError, match="are another program's; take another database number"):
        RedisStore(address)


def test_a_database_that_the_server_has_not(redis_server: RedisHere) -> None:
    with pytest.raises(StoreError, match="no database of that number"):
        RedisStore(redis_server.address.replace("/0", "/99"))


def test_clocks_that_differ_are_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with RedisStore(address) as store:
        now = store._server.time()
        for difference, text in ((-600.0, "10 minutes ahead of"), (300.0, "5 minutes behind")):
            monkeypatch.setattr(store._server, "time", lambda d=difference: now + d)
            [warning] = store.warnings()
            assert text in warning and "set the clocks" in warning


DAMAGES = {
    "features": ("f 0 ", '["{", "{}"]'),
    "verdict": ("v 0 a", '["splendid", ""]'),
    "field": ("nonsense", "1"),
    "output": ("o 0 a", "7"),
    "calls": ("calls", "many"),
}


@pytest.mark.parametrize("case", DAMAGES)
def test_damaged_fields_are_named_with_the_remedy(
    address: str, redis_server: RedisHere, case: str
) -> None:
    with RedisStore(address) as store:
        fill(store)
        [key] = [k for k in redis_server.ask("KEYS", "fettle:input:*") if k.count(b":") == 2]  # type: ignore[attr-defined]
        redis_server.ask("HSET", key, *DAMAGES[case])
        with pytest.raises(StoreError, match=r"is damaged: .*tune --fresh") as error:
            store.examples(SUBJECT, INPUT)
        assert str(error.value).startswith(address)
        store.forget(SUBJECT)
        fill(store)
        assert len(store.examples(SUBJECT, INPUT)) == 1
