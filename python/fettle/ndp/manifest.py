"""manifest.json in the build directory: what was built, all that measuring and training need.

Paths in it are relative to the build directory, which may be moved to another machine as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fettle.core.errors import MALFORMED, FettleError
from fettle.core.written_file import write_whole
from fettle.ndp.base.computation import Computation, read_computation
from fettle.ndp.candidate import Candidate, read_candidate
from fettle.ndp.shards import Unit

VERSION = 1
FILE = "manifest.json"


@dataclass(frozen=True)
class Shard:
    """A shared object and the candidates in it."""

    file: str
    units: tuple[Unit, ...]
    size: int = 0  # bytes of the file; 0 where it is not known


@dataclass(frozen=True)
class Dropped:
    """A candidate that could not be compiled."""

    unit: Unit
    reason: str


@dataclass(frozen=True)
class Manifest:
    """The outcome of a build."""

    source: str  # as it was named
    platform: str
    program: str
    computations: Mapping[str, Computation]  # by their functions' names
    shards: tuple[Shard, ...]
    dropped: tuple[Dropped, ...]
    state: str  # of everything that the compiler read; what was dropped holds for it alone
    seconds: float = 0.0  # that the last build took in which anything was compiled

    def candidates(self, function: str) -> tuple[Candidate, ...]:
        """The candidates of a function that were built, in the order of the program's variants."""
        units = [unit for shard in self.shards for unit in shard.units]
        return tuple(candidate for name, candidate in units if name == function)

    def environment(self, directory: Path) -> dict[str, str]:
        """What the training program needs in its environment to find its candidates."""
        files = [str((directory / shard.file).resolve()) for shard in self.shards]
        return {"FETTLE_NDP_SHARDS": ":".join(files)} if files else {}

    def check_files(self, directory: Path) -> None:
        """Raises FettleError where the program or a shard is not there as it was built."""
        for name, size in [(self.program, 0), *((one.file, one.size) for one in self.shards)]:
            try:
                there = (directory / name).stat().st_size
            except OSError as error:
                raise FettleError(
                    f"the build in {directory} has no {name} ({error.strerror}); build again, "
                    "without --no-build, or copy the folder as a whole"
                ) from None
            if size not in (0, there):
                raise FettleError(
                    f"{directory / name} has {there} bytes, but {size} were built: it is cut off "
                    "or of another build; build again, or copy the folder as a whole"
                )


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Replaces the manifest of a build directory."""
    text = json.dumps(
        {
            "fettle_ndp_build": VERSION,
            "source": manifest.source,
            "platform": manifest.platform,
            "program": manifest.program,
            "computations": [_computation(one) for one in manifest.computations.values()],
            "shards": [
                {
                    "file": shard.file,
                    "bytes": shard.size,
                    "candidates": [_unit(unit) for unit in shard.units],
                }
                for shard in manifest.shards
            ],
            "dropped": [
                {"candidate": _unit(one.unit), "reason": one.reason} for one in manifest.dropped
            ],
            "state": manifest.state,
            "seconds": round(manifest.seconds, 1),
        },
        indent=1,
    )
    write_whole(directory / FILE, (text + "\n").encode())


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a build directory. Raises FettleError where there is none to be read."""
    path = directory / FILE
    try:
        data = json.loads(path.read_text())
        if data["fettle_ndp_build"] == VERSION:
            return _manifest(data)
        what = f"is of version {data['fettle_ndp_build']}, this Fettle reads {VERSION}"
    except FileNotFoundError:
        raise FettleError(
            f"{directory} holds no build (no {FILE}); build first, without --no-build"
        ) from None
    except (OSError, *MALFORMED, FettleError) as problem:
        what = f"cannot be read ({problem})"
    raise FettleError(f"{path} {what}; build again")


def _manifest(data: Mapping[str, Any]) -> Manifest:
    platform = data["platform"]

    def unit(pair: Any) -> Unit:
        function, text = pair
        return str(function), read_candidate(platform, text)

    known = [read_computation(json.dumps(one)) for one in data["computations"]]
    return Manifest(
        source=data["source"],
        platform=platform,
        program=data["program"],
        computations={str(one.function): one for one in known},
        shards=tuple(
            Shard(shard["file"], tuple(map(unit, shard["candidates"])), int(shard.get("bytes", 0)))
            for shard in data["shards"]
        ),
        dropped=tuple(Dropped(unit(one["candidate"]), one["reason"]) for one in data["dropped"]),
        state=data["state"],
        seconds=data["seconds"],
    )


def _unit(unit: Unit) -> list[str]:
    function, candidate = unit
    return [function, candidate.text]


def _computation(one: Computation) -> dict[str, Any]:
    """What `read_computation` reads."""
    fields = dict(vars(one))
    fields["schedules"] = [
        {"schedule": schedule, "parameters": parameters}
        for schedule, parameters in one.schedules.items()
    ]
    fields["computations"] = [vars(part) for part in fields.pop("parts")]
    fields["pruned"] = [{"schedule": schedule, "reason": reason} for schedule, reason in one.pruned]
    return fields
