"""A SQLite file is refused on a disk that hosts share over the network."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle.store import network_disk
from fettle.store.base import StoreError
from fettle.store.network_disk import check_is_local, file_system_of
from fettle.store.sqlite import SqliteStore


@pytest.fixture
def mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of mounts with NFS on a folder whose name has a blank, and a local disk within it."""
    table = tmp_path / "mountinfo"
    (tmp_path / "home of all" / "scratch").mkdir(parents=True)
    shared = str(tmp_path / "home of all").replace(" ", "\\040")
    table.write_text(
        "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
        f"30 22 0:50 / {shared} rw master:3 - nfs4 server:/home rw,vers=4.2\n"
        f"31 30 0:51 / {shared}/scratch rw - xfs /dev/sda rw\n"
        f"32 22 0:52 / {tmp_path}/fuse rw - fuse.sshfs me@host:/ rw\n"
        "a line that is cut\n"
    )
    monkeypatch.setattr(network_disk, "MOUNTS", table)
    return tmp_path


def test_a_network_disk_is_refused_with_the_reason(mounts: Path) -> None:
    path = mounts / "home of all" / "fettle.sqlite"
    with pytest.raises(StoreError, match=r"network file system \(nfs4, mounted on .*home of all"):
        SqliteStore(path)
    assert not path.exists()
    with pytest.raises(StoreError, match=r"fuse\.sshfs.* local disk .*redis://HOST"):
        check_is_local(mounts / "fuse" / "x")


def test_the_disk_that_is_mounted_within_counts(mounts: Path) -> None:
    assert file_system_of(mounts / "home of all" / "scratch" / "db")[0] == "xfs"
    SqliteStore(mounts / "home of all" / "scratch" / "db").close()
    assert file_system_of(mounts / "db") == ("ext4", "/")


def test_a_link_to_a_network_disk_is_followed(mounts: Path) -> None:
    (mounts / "link").symlink_to(mounts / "home of all")
    with pytest.raises(StoreError, match="nfs4"):
        check_is_local(mounts / "link" / "db")


def test_without_a_table_of_mounts_all_is_taken_for_local(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_disk, "MOUNTS", tmp_path / "none")
    assert file_system_of(tmp_path) == ("", "")
    SqliteStore(tmp_path / "db").close()
