"""Commands of the compilers: which flags go where."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fettle.core.errors import FettleError
from fettle.ndp.platforms import cuda
from fettle.ndp.toolchain import include_directory, toolchain_of

needs_compiler = pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")


@needs_compiler
def test_flags_are_divided_between_compiler_and_linker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "c++")
    made = toolchain_of("openmp", flags="-O1 -DNAME='a b' -lz -L/lib more.o -Wl,-s -pthread")
    compiled = made.compile(Path("a.cpp"), Path("a.o"), include=Path("h/fettle_config.hpp"))
    linked = made.link([Path("a.o")], Path("a"))
    for word in ("-O1", "-DNAME=a b", "-pthread", "-march=native"):
        assert word in compiled
    assert compiled.index("-O1") > compiled.index("-O3"), "a later one overrides"
    assert compiled[compiled.index("-include") + 1] == "h/fettle_config.hpp"
    assert "-Ih" in compiled, "for sources that include it by name"
    for word in ("-lz", "-L/lib", "more.o", "-Wl,-s"):
        assert word not in compiled
        assert linked.index(word) > linked.index("a.o")
    assert "-pthread" in linked
    assert "-fopenmp" in linked
    assert "-DNAME=a b" not in linked


@needs_compiler
def test_the_architecture_is_named_or_that_of_this_machine() -> None:
    made = toolchain_of("openmp", architecture="x86-64-v3", compiler="c++")
    assert "-march=x86-64-v3" in made.compile_flags
    assert "-march=native" not in made.compile_flags


def test_cuda_without_a_gpu_needs_an_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "_has_gpu", lambda: False)
    with pytest.raises(FettleError, match=r"no GPU here to compile for; .*--arch sm_90"):
        toolchain_of("cuda", compiler="sh")
    made = toolchain_of("cuda", compiler="sh", architecture="sm_90")
    assert "-arch=sm_90" in made.compile_flags
    compiled = made.compile(Path("a.cpp"), Path("a.o"))
    assert compiled[compiled.index("-x") + 1] == "cu"


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(
        FettleError, match="there is no platform 'opencl'; use cuda or cuda_devices"
    ):
        toolchain_of("opencl")
    with pytest.raises(FettleError, match="the compiler 'no-such-compiler' is not on the PATH"):
        toolchain_of("openmp", compiler="no-such-compiler")


def test_flags_and_compilers_that_are_no_words_are_said() -> None:
    told = r"\(--flags\) \"-DA='\" cannot be split into words: No closing quotation; write it as"
    with pytest.raises(FettleError, match=told):
        toolchain_of("openmp", flags="-DA='", compiler="sh")
    with pytest.raises(FettleError, match=r'the compiler "c.. \'" cannot be split into words: No'):
        toolchain_of("openmp", compiler="c++ '")


def test_a_compiler_of_the_environment_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(FettleError, match=r"another one \(--compiler, or CXX=\.\.\., which names"):
        toolchain_of("openmp")
    monkeypatch.setenv("CXX", "")
    with pytest.raises(FettleError, match=r"'c\+\+' is not on the PATH; .* one \(--compiler\)"):
        monkeypatch.setenv("PATH", "/nowhere")
        toolchain_of("openmp")


def test_headers_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = include_directory()
    assert found is not None
    assert (found / "fettle" / "ndp.hpp").exists()
    monkeypatch.setenv("FETTLE_INCLUDE", str(tmp_path))
    with pytest.raises(FettleError, match=r"FETTLE_INCLUDE=.* has no fettle/ndp\.hpp; name the"):
        include_directory()
    (tmp_path / "fettle").mkdir()
    (tmp_path / "fettle" / "ndp.hpp").touch()
    assert include_directory() == tmp_path
