"""Records what a benchmark measured: results/<name>.json, with machine, versions, commit and date.

A benchmark runs under this file, `record.py NAME -- command...`, and appends its figures, one JSON
object a line, to the file that $FETTLE_BENCHMARK_ROWS names: by `append_rows`, in C++ by
record.hpp. One whose record is made of pieces calls `write`. $FETTLE_BENCHMARK_RESULTS names
another folder for the results.

What is recorded in results/ has to be measured of a commit: a tree that differs from its commit, or
has none, is refused, before anything is measured. $FETTLE_BENCHMARK_UNCOMMITTED=1 records it all
the same, and the tables mark it.
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
Row = Mapping[str, object]


def output_of(*command: str) -> str:
    """What a command prints, stripped; empty where it is absent or fails."""
    if not shutil.which(command[0]):
        return ""
    run = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""


def machine() -> dict[str, object]:
    """The processor, how many of its cores this process may use, the GPUs and the system."""
    names = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    return {
        "processor": names[0] if names else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "gpus": output_of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines(),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()),
    }


def versions() -> dict[str, str]:
    """The compiler's, Python's and its packages' versions, of those that are there."""
    found = {
        "compiler": output_of(os.environ.get("FETTLE_CXX", "c++"), "--version").split("\n")[0],
        "nvcc": output_of("nvcc", "--version").split("\n")[-1],
        "python": platform.python_version(),
    }
    for package in ("numpy", "scipy", "scikit-learn", "libsvm-official"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {name: version for name, version in found.items() if version}


def commit() -> str:
    """The commit of the tree, with "+" where files that recording does not write differ from it.

    Outside a repository it is $FETTLE_BENCHMARK_COMMIT, for programs that were carried elsewhere.
    """
    if not output_of("git", "rev-parse", "HEAD"):
        return os.environ.get("FETTLE_BENCHMARK_COMMIT", "")
    return output_of("git", "rev-parse", "--short=10", "HEAD") + ("+" if changed_files() else "")


def changed_files() -> list[str]:
    """The files that differ from the commit, without those that recording itself writes."""
    written = (":(top,exclude)README.md", ":(top,exclude)benchmarks/results")
    command = ("git", "diff", "HEAD", "--name-only", "--", ":(top)", *written)
    return output_of(*command).splitlines()


def results_folder() -> Path:
    """Where records are written."""
    return Path(os.environ.get("FETTLE_BENCHMARK_RESULTS", ROOT / "benchmarks" / "results"))


def why_refused() -> str:
    """Why nothing measured now may be recorded in results/; empty where it may."""
    allowed = os.environ.get("FETTLE_BENCHMARK_UNCOMMITTED") == "1"
    if allowed or results_folder().resolve() != ROOT / "benchmarks" / "results":
        return ""
    measured = commit()
    if measured and not measured.endswith("+"):
        return ""
    why = "the tree has no commit; name it in FETTLE_BENCHMARK_COMMIT"
    if measured:
        changed = changed_files() or [measured]
        why = f"{changed[0]} and perhaps others differ from the commit; commit them first"
    return (
        f"not recorded in {results_folder()}: {why}, or set FETTLE_BENCHMARK_UNCOMMITTED=1 to have "
        "the figures marked in the tables"
    )


def portable(part: str) -> str:
    """A word of a command as it reads on any machine: a path in this tree, or a bare name."""
    path = Path(part)
    if not path.is_absolute():
        return part
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def write(name: str, rows: Sequence[Row], command: Sequence[str] = ()) -> Path:
    """Write results/<name>.json with these figures; `command` says how to measure them again."""
    if refused := why_refused():
        raise SystemExit(f"{name}: {refused}")
    record = {
        "benchmark": name,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "commit": commit(),
        "command": " ".join(map(portable, command)),
        "machine": machine(),
        "versions": versions(),
        "rows": list(rows),
    }
    folder = results_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return path


def append_rows(rows: Iterable[Row]) -> None:
    """Append figures to the file that $FETTLE_BENCHMARK_ROWS names; without it, to none."""
    if path := os.environ.get("FETTLE_BENCHMARK_ROWS"):
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


def main(arguments: Sequence[str]) -> int:
    """Run a benchmark program and record the rows that it appends."""
    name, separator, *command = arguments
    if separator != "--" or not command:
        raise SystemExit(f"usage: record.py NAME -- command..., not {' '.join(arguments)}")
    if refused := why_refused():
        print(f"{name}: {refused}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        environment = {**os.environ, "FETTLE_BENCHMARK_ROWS": str(rows)}
        status = subprocess.run(command, env=environment, check=False).returncode
        if status != 0:
            print(
                f"{name}: {command[0]} failed with status {status}; nothing is recorded",
                file=sys.stderr,
            )
            return 1
        if not rows.exists():
            print(f"{name}: {command[0]} recorded no row", file=sys.stderr)
            return 1
        # What every process of a benchmark says alike, of its compiler, is kept once.
        lines = dict.fromkeys(rows.read_text(encoding="utf-8").splitlines())
        path = write(name, [json.loads(line) for line in lines], command)
    print(f"recorded: {path}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
