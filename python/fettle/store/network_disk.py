"""Refuses a SQLite file on a disk that several hosts share over the network.

Such file systems do not keep SQLite's locks and its shared memory between hosts: two tuners may
damage the file. (Optuna's issues 815, 820 and 4034 are of that.)
"""

from __future__ import annotations

from pathlib import Path

from fettle.store.base import StoreError

MOUNTS = Path("/proc/self/mountinfo")
# As the kernel names them; "fuse.NAME" for those in user space.
# fmt: off
NETWORK = frozenset((
    "afs", "beegfs", "blobfuse", "blobfuse2", "ceph", "cephfs", "cifs", "coda", "cvmfs", "davfs",
    "davfs2", "gcsfuse", "gfs2", "glusterfs", "goofys", "gpfs", "juicefs", "lizardfs", "lustre",
    "mfs", "moosefs", "mountpoint-s3", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs",
    "pvfs2", "quobyte", "rclone", "s3fs", "smb3", "smbfs", "sshfs", "wekafs",
))
# fmt: on


def check_is_local(path: Path) -> None:
    """Raises StoreError where a file would lie on a network file system."""
    if str(path) == ":memory:":
        return
    kind, mount = file_system_of(path)
    if kind.removeprefix("fuse.") in NETWORK:
        raise StoreError(
            f"{path} is on a network file system ({kind}, mounted on {mount}), which does not keep "
            "two writers of a SQLite file apart: it may be damaged. Give the tuner a file on a "
            "local disk (--store /var/tmp/NAME.sqlite), and pass measurements on by `fettle store "
            "merge`; or share a Redis server (--store redis://HOST/0)"
        )


def file_system_of(path: Path) -> tuple[str, str]:
    """The kind of the file system that a path is on, and where it is mounted; ("", "") if unknown.

    The last one of several that are mounted on the same folder is seen.
    """
    try:
        lines = MOUNTS.read_text(errors="surrogateescape").splitlines()
    except OSError:  # not Linux, or no /proc
        return "", ""
    parents = {str(part) for part in (path.resolve(), *path.resolve().parents)}
    found = ("", "")
    for line in lines:
        before, _, after = line.partition(" - ")
        words = before.split()
        if len(words) < 5 or not after:
            continue
        mount = _plain(words[4])
        if mount in parents and len(mount) >= len(found[1]):
            found = (after.split()[0], mount)
    return found


def _plain(text: str) -> str:
    """A mount point without the kernel's octal escapes of blanks and backslashes."""
    for code, character in (("040", " "), ("011", "\t"), ("012", "\n"), ("134", "\\")):
        text = text.replace(f"\\{code}", character)
    return text
