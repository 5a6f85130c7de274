"""Building in shards: what is at fault is found, and nothing is compiled twice."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from stand_in_library import BAD, FUNCTION, SOURCE, plan_of
from waiting import wait_for

from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.ndp.build import build
from fettle.ndp.build_lock import build_lock
from fettle.ndp.build_steps import BuildSteps
from fettle.ndp.compiler_output import is_full, is_out_of_memory, listed_files, reason_of
from fettle.ndp.manifest import Manifest, read_manifest, write_manifest
from fettle.ndp.ninja_run import Step, run_steps
from fettle.training.build import BuildError
from fettle.training.policy_header import policy_header

pytestmark = pytest.mark.skipif(
    shutil.which(os.environ.get("CXX", "c++")) is None, reason="needs a C++ compiler"
)


def times(folder: Path) -> dict[Path, int]:
    """When each file that a compiler makes was made."""
    made = [path for path in folder.rglob("*") if path.suffix in (".o", ".so")]
    made.append(folder / "training" / "program")
    return {path: path.stat().st_mtime_ns for path in made}


def threads_of(manifest: Manifest) -> list[int]:
    return [int(one.policy["num_threads"]) for one in manifest.candidates(FUNCTION)]


def sum_of(plan_directory: Path, shard: str) -> int:
    """What a shard adds up: the threads of the candidates in it."""
    return int(ctypes.CDLL(str(plan_directory / shard))._Z3sumv())


def test_shards_hold_all_candidates(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, range(1, 9))
    manifest = build(plan, Silence())
    assert threads_of(manifest) == list(range(1, 9))
    assert len(manifest.shards) == 2
    sums = [sum_of(plan.directory, shard.file) for shard in manifest.shards]
    assert sums == [
        sum(int(one.policy["num_threads"]) for _, one in shard.units) for shard in manifest.shards
    ]
    assert subprocess.run([plan.directory / manifest.program], check=False).returncode == 0
    assert read_manifest(plan.directory).shards == manifest.shards


@pytest.mark.parametrize("bad", [{0}, {5}, {7}, {2, 3}, {0, 7}])
def test_the_candidate_at_fault_is_found(tmp_path: Path, bad: set[int]) -> None:
    threads = [BAD if place in bad else 20 + place for place in range(8)]
    # Equal candidates are one: those at fault differ in their schedule.
    plan = plan_of(tmp_path, dict.fromkeys(threads))
    manifest = build(plan, Silence())
    assert [one.unit[1].policy["num_threads"] for one in manifest.dropped] == [BAD]
    assert "thirteen brings bad luck" in manifest.dropped[0].reason
    assert sorted(threads_of(manifest)) == sorted(set(threads) - {BAD})


def test_a_second_build_does_nothing(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, 2, BAD, 4, 5])
    first = build(plan, Silence())
    before = times(plan.directory)
    again = build(plan, Silence())
    assert times(plan.directory) == before
    assert (again.shards, again.dropped) == (first.shards, first.dropped)


# As ccache with CCACHE_BASEDIR: the files read are listed relative to where the compiler runs.
RELATIVE = """#!/bin/sh
"$@" || exit
for word; do
  [ "$before" != -MF ] || sed -i "s# {folder}/# ../#g" "$word"
  before=$word
done
"""


def test_a_compiler_cache_that_makes_paths_relative(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text(RELATIVE.replace("{folder}", str(tmp_path)))
    cache.chmod(0o755)
    plan = plan_of(tmp_path, [1, 2])
    plan = replace(plan, toolchain=replace(plan.toolchain, launcher=(str(cache),)))
    state = build(plan, Silence()).state
    assert " ../library/" in next(plan.directory.rglob("*.o.d")).read_text()
    assert build(plan, Silence()).state == state
    library = tmp_path / "library" / "fettle" / "ndp" / "tuned.hpp"
    library.write_text(library.read_text() + "// changed")
    assert build(plan, Silence()).state != state


def test_what_was_dropped_is_tried_again_after_a_change(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, BAD, 4])
    assert len(build(plan, Silence()).dropped) == 1
    library = tmp_path / "library" / "fettle" / "ndp" / "tuned.hpp"
    library.write_text(library.read_text().replace("!= 13", "!= 14"))
    manifest = build(plan, Silence())
    assert manifest.dropped == ()
    assert threads_of(manifest) == [1, BAD, 4]


def test_a_changed_header_is_noticed(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, 2])
    build(plan, Silence())
    (tmp_path / "more.hpp").write_text("#define MORE 40\n")
    manifest = build(plan, Silence())
    assert subprocess.run([plan.directory / manifest.program], check=False).returncode == 40


def test_other_candidates_are_built_anew(tmp_path: Path) -> None:
    build(plan_of(tmp_path, [1, 2, BAD]), Silence())
    assert threads_of(build(plan_of(tmp_path, [2, 3]), Silence())) == [2, 3]
    assert threads_of(read_manifest(tmp_path / "build")) == [2, 3]


def test_a_source_that_does_not_compile(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, 2])
    plan.source.write_text(SOURCE + "int x = nonsense;\n")
    with pytest.raises(BuildError, match=r"(?s)program.cpp does not compile .*nonsense"):
        build(plan, Silence())


def test_a_library_that_none_of_the_candidates_suits(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, range(1, 9))
    library = tmp_path / "library" / "fettle" / "ndp" / "tuned.hpp"
    library.write_text(library.read_text().replace("!= 13", "< 0"))
    with pytest.raises(BuildError, match=r"(?s)compiles, but none of the candidates.*thirteen"):
        build(plan, Silence())


def test_policies_of_other_functions_are_kept(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, 2])
    header = tmp_path / "fettle_config.hpp"
    header.write_text(policy_header([CodeVariant("other"), CodeVariant(FUNCTION)], Path("models")))
    plan.source.write_text(SOURCE + "using other = fettle::tuning_policies::other;\n")
    plan = type(plan)(**{**vars(plan), "header": header})
    manifest = build(plan, Silence())
    assert threads_of(manifest) == [1, 2]
    before = times(plan.directory)
    header.write_text(policy_header([CodeVariant("other")], Path("models")))
    build(plan, Silence())
    assert times(plan.directory) == before, "its own function's policy makes no difference"


def test_more_sources_are_linked_to_everything(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, 2])
    plan.source.write_text(
        SOURCE.replace("+ MORE", "+ more()").replace("\nusing", "\nint more();\nusing")
    )
    (tmp_path / "more.cpp").write_text("int more() { return 7; }\n")
    plan = type(plan)(**{**vars(plan), "more_sources": [tmp_path / "more.cpp"]})
    manifest = build(plan, Silence())
    assert subprocess.run([plan.directory / manifest.program], check=False).returncode == 7
    assert sum(sum_of(plan.directory, shard.file) - 7 for shard in manifest.shards) == 3


def test_the_build_directory_can_be_moved(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, 2])
    build(plan, Silence())
    moved = tmp_path / "elsewhere"
    plan.directory.rename(moved)
    shards = read_manifest(moved).environment(moved)["FETTLE_NDP_SHARDS"].split(":")
    assert [Path(shard).exists() for shard in shards] == [True, True]


def test_a_missing_or_foreign_manifest(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match="holds no build"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text('{"fettle_ndp_build": 7}')
    with pytest.raises(FettleError, match="is of version 7, this Fettle reads 1"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(FettleError, match="cannot be read"):
        read_manifest(tmp_path)


def test_manifests_are_read_as_written(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, BAD])
    manifest = build(plan, Silence())
    write_manifest(tmp_path, manifest)
    known = read_manifest(tmp_path)
    assert (known.computations, known.shards, known.dropped, known.state) == (
        dict(manifest.computations),
        manifest.shards,
        manifest.dropped,
        manifest.state,
    )


def test_names_with_spaces_and_dollars(tmp_path: Path) -> None:
    odd = tmp_path / "a $b: c"
    steps = [Step(odd / "out", ["cp", str(odd / "in"), str(odd / "out")], [odd / "in"], "copy")]
    odd.mkdir()
    (odd / "in").write_text("text")
    assert run_steps(tmp_path, steps, jobs=1, what="copying", display=Silence()) == {}
    assert (odd / "out").read_text() == "text"
    (odd / "in").unlink()
    (odd / "in").mkdir()
    failed = run_steps(tmp_path, steps, jobs=1, what="copying", display=Silence())
    assert list(failed) == [odd / "out"]


def test_lists_of_files(tmp_path: Path) -> None:
    (tmp_path / "d").write_text("out.o: /a.cpp \\\n ../b\\ c.hpp \\\n d.hpp\nother: e\n")
    found = listed_files(tmp_path / "d", tmp_path)
    assert found == [Path("/a.cpp"), tmp_path / "../b c.hpp", tmp_path / "d.hpp"]


def test_the_reason_is_what_matters() -> None:
    log = "In file included\nx.cpp:3: error: no\n  note\nx.cpp:4: error: again\n"
    assert reason_of(log) == "x.cpp:3: error: no\nx.cpp:4: error: again"
    long_name = "ptxas error   : Entry function '" + "Z" * 300 + "' uses too much shared data"
    assert reason_of(long_name) == "ptxas error   : Entry function '...' uses too much shared data"
    assert reason_of("") == "the compiler failed and said nothing"


FULL = "as: can't write 35 bytes to section .text of shard.o: 'No space left on device'"
KILLED = "c++: fatal error: Killed signal terminated program cc1plus"


def test_what_says_that_the_machine_is_at_fault() -> None:
    assert is_full(FULL)
    assert is_full("/bin/sh: 1: cannot create a.log: Disk quota exceeded")
    assert not is_full(KILLED)
    assert is_out_of_memory(KILLED)
    assert is_out_of_memory("nvcc error   : 'cicc' died due to signal 9 (Kill signal)")
    assert is_out_of_memory("cc1plus: out of memory allocating 65536 bytes")
    assert not is_out_of_memory("x.cpp:3: error: thirteen brings bad luck")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (FULL, r"(?s)the compiler could not write in .*/build: make room there .*35 bytes"),
        (KILLED, r"(?s)ran out of memory on .*num_threads=13; .*\(--jobs\).*Killed sig"),
    ],
)
def test_no_candidate_is_dropped_for_the_machine(said: str, message: str, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1, BAD, 4])
    library = tmp_path / "library" / "fettle" / "ndp" / "tuned.hpp"
    bad_luck = library.read_text()
    library.write_text(bad_luck.replace("thirteen brings bad luck", said))
    with pytest.raises(BuildError, match=message):
        build(plan, Silence())
    library.write_text(bad_luck.replace("!= 13", "!= 14"))
    manifest = build(plan, Silence())
    assert (manifest.dropped, threads_of(manifest)) == ((), [1, BAD, 4])


def test_a_disk_that_is_full_is_no_fault_of_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(tmp_path, [1, BAD])
    nearly = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: nearly)
    with pytest.raises(BuildError, match="the compiler could not write in"):
        build(plan, Silence())


def test_a_step_whose_log_cannot_be_made(tmp_path: Path) -> None:
    step = Step(tmp_path / "out", ["true"], [], "nothing")
    (tmp_path / "out.log").mkdir()
    failed = run_steps(tmp_path, [step], jobs=1, what="trying", display=Silence())
    assert "Is a directory" in failed[tmp_path / "out"]


def test_two_builds_in_one_folder_take_turns(tmp_path: Path) -> None:
    said: list[str] = []
    done: list[Manifest] = []

    class Listener(Silence):
        def say(self, text: str) -> None:
            said.append(text)

    plan = plan_of(tmp_path, [1, 2])
    second = threading.Thread(target=lambda: done.append(build(plan, Listener())))
    with build_lock(plan.directory, said.append):
        second.start()
        wait_for(lambda: bool(said))
        assert not (plan.directory / "build.ninja").exists()
    second.join()
    assert said == [f"another process builds in {plan.directory}; waiting for it to end"]
    assert threads_of(done[0]) == [1, 2]


def test_the_training_program_has_fettles_functions_from_a_library(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [1])
    library, program, link = BuildSteps(plan).of_program()
    assert "-DFETTLE_COMPILED" in library.command
    assert "-DFETTLE_COMPILED" in program.command
    assert str(library.output) in link.command
    compiled, _ = BuildSteps(plan).of_shard("0", 1, tmp_path / "0" / "fettle_config.hpp")
    assert "-DFETTLE_COMPILED" not in compiled.command
    flags = (*plan.toolchain.compile_flags, "-DFETTLE_COMPILED")  # and links a library of its own
    own = replace(plan, toolchain=replace(plan.toolchain, compile_flags=flags))
    assert [step.what for step in BuildSteps(own).of_program()] == [program.what, link.what]


@pytest.mark.parametrize(("given", "becomes"), [("-O3", "-O1"), ("-O2", "-O2"), ("-O0", "-O0")])
def test_fettles_functions_are_not_optimised_like_candidates(
    given: str, becomes: str, tmp_path: Path
) -> None:
    plan = plan_of(tmp_path, [1])
    plan = replace(plan, toolchain=replace(plan.toolchain, compile_flags=(given,)))
    library, program, _ = BuildSteps(plan).of_program()
    assert [word for word in library.command if word.startswith("-O")] == [becomes]
    assert given in program.command
