"""How a source file of the nested data-parallel layer is compiled for a platform."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.ndp.base.platform import Compiling
from fettle.ndp.platforms import platform_named
from fettle.training.settings import words

# Words that the compiler takes for the linker alone; everything else is for both.
_LINK_PREFIXES = ("-l", "-L", "-Wl,", "-Xlinker", "-rdynamic", "-static")
_LINK_SUFFIXES = (".o", ".a", ".so")


@dataclass(frozen=True)
class Toolchain:
    """Compiler and options; commands are lists of words."""

    platform: str
    compiler: tuple[str, ...]
    compile_flags: tuple[str, ...]
    link_flags: tuple[str, ...] = ()  # at the end of a link command
    launcher: tuple[str, ...] = ()  # a compiler cache
    language: tuple[str, ...] = ()  # words before the source file

    def compile(self, source: Path, output: Path, *, include: Path | None = None) -> list[str]:
        """Compiles to an object file that a shared object may hold.

        `include` is a header that stands before the source, and that the source finds by its name
        where it has none of that name beside it. The files read are listed beside the output, in
        `output`.d.
        """
        before = [] if include is None else ["-include", str(include), f"-I{include.parent}"]
        dependencies = ["-MD", "-MT", str(output), "-MF", f"{output}.d"]
        words = [*self.launcher, *self.compiler, *self.compile_flags, *before, *dependencies]
        return [*words, "-c", *self.language, str(source), "-o", str(output)]

    def link(self, objects: Sequence[Path], output: Path, *, shared: bool = False) -> list[str]:
        """Links a program, or a shared object."""
        words = [*self.compiler, *self._kept_when_linking(), *(["-shared"] if shared else [])]
        return [*words, *map(str, objects), "-o", str(output), *self.link_flags]

    def _kept_when_linking(self) -> list[str]:
        return [
            word for word in self.compile_flags if not word.startswith(("-I", "-D", "-include"))
        ]


def toolchain_of(
    platform: str,
    *,
    flags: str | Sequence[str] = (),
    compiler: str | Sequence[str] | None = None,
    architecture: str | None = None,
) -> Toolchain:
    """The toolchain of a platform.

    - `flags`: more of them, after Fettle's own (-std=c++20 -O3, the machine's instructions), which
      they may thus override; those for the linker alone are found among them.
    - `compiler`: the platform's where not given: $CXX or c++; nvcc for CUDA.
    - `architecture`: what to compile for, in place of this machine's: "sm_90", "x86-64-v3".

    Raises FettleError.
    """
    compiling = platform_named(platform).compiling
    given = words(flags, "the flags (--flags)")
    to_link = [word for word in given if _is_for_the_linker(word)]
    to_compile = [word for word in given if not _is_for_the_linker(word)]
    found = include_directory()
    search = [] if found is None else [f"-I{found}"]
    of_platform = compiling.flags(architecture)
    cache = shutil.which("ccache")
    return Toolchain(
        platform=platform,
        compiler=_compiler(compiling, compiler),
        compile_flags=("-std=c++20", "-O3", *of_platform, *to_compile, *search),
        link_flags=(*to_link, *compiling.link_flags, "-ldl"),
        launcher=() if cache is None else (cache,),
        language=compiling.language,
    )


def include_directory() -> Path | None:
    """The folder of Fettle's headers; None where the compiler has to know it.

    $FETTLE_INCLUDE, else the headers that came with the package, else those of the source tree.
    Raises FettleError where $FETTLE_INCLUDE names no such folder.
    """
    named = os.environ.get("FETTLE_INCLUDE")
    if named:
        if not (Path(named) / "fettle" / "ndp.hpp").is_file():
            raise FettleError(
                f"FETTLE_INCLUDE={named} is not a folder with Fettle's headers: it has no "
                "fettle/ndp.hpp; name the folder that has, or unset it"
            )
        return Path(named)
    package = Path(__file__).resolve().parents[1]
    for folder in (package, *package.parents):
        if (folder / "include" / "fettle" / "ndp.hpp").is_file():
            return folder / "include"
    return None


def _compiler(compiling: Compiling, given: str | Sequence[str] | None) -> tuple[str, ...]:
    named_by = "--compiler"
    if given is None:
        variable = compiling.environment_variable
        of_environment = os.environ.get(variable) if variable else None
        if of_environment:
            named_by = f"--compiler, or {variable}=..., which names this one"
        given = of_environment or compiling.compiler()
    command = words(given, "the compiler")
    if not command or shutil.which(command[0]) is None:
        raise FettleError(
            f"the compiler {' '.join(command)!r} is not on the PATH; install it or name another "
            f"one ({named_by})"
        )
    return command


def _is_for_the_linker(word: str) -> bool:
    return word.startswith(_LINK_PREFIXES) or (
        word.endswith(_LINK_SUFFIXES) and not word.startswith("-")
    )
