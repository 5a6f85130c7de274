"""Programs that are asked what they are: compilers, CMake, the GPU's driver."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

SECONDS = 5.0


class AskedTools:
    """Starts programs and reads what they print; one that does not answer is asked only once."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._silent: set[str] = set()

    def output(self, command: Sequence[str], source: str = "") -> str:
        """What `command` prints; empty where it cannot be started, fails or does not answer."""
        path = shutil.which(command[0])
        if path is None or path in self._silent:
            return ""
        try:
            done = subprocess.run(
                [path, *command[1:]],
                input=source,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self._silent.add(path)
            return ""
        except OSError:
            return ""
        return done.stdout if done.returncode == 0 else ""

    def macros(self, compiler: str | None, source: str, *flags: str) -> str:
        """All macros that `compiler` knows after reading `source` as C++20; empty if that fails."""
        if compiler is None:
            return ""
        command = [compiler, "-std=c++20", *flags, "-dM", "-E", "-x", "c++", "-"]
        return self.output(command, source + "\n")

    def is_silent(self, name: str) -> bool:
        """Whether this program was asked and did not answer."""
        return shutil.which(name) in self._silent

    def remedy(self, remedy: str, *names: str | None) -> str:
        """`remedy`, or where one of these programs did not answer, that and what to do then."""
        for name in names:
            if name and self.is_silent(name):
                return (
                    f"{shutil.which(name)} is there but did not answer within {self.seconds:g} s; "
                    f"start it by hand to see why, or else {remedy}"
                )
        return remedy
