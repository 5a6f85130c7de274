"""Which headers are public, and which names they declare, read from the headers themselves.

A header whose first comment says "A table of contents" lists public headers: all that it includes
where users include it, otherwise those behind which a comment says what they hold, and those that
its first comment names. What is in a namespace `detail` is not public.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
ENTRIES = ("fettle/variant.hpp", "fettle/ndp.hpp")
"""What users include."""

# Public headers that no table of contents lists: used by programs, but not by each.
BESIDE = (
    "fettle/core/error.hpp",
    "fettle/variant/code_variant_registration.hpp",
    "fettle/ndp/openmp.hpp",
    "fettle/ndp/openmp_nodes.hpp",
    "fettle/ndp/cuda.hpp",
    "fettle/ndp/cuda_devices.hpp",
    "fettle/ndp/devices.hpp",
    "fettle/ndp/tbb.hpp",
    "fettle/ndp/tuned.hpp",
    "fettle/ndp/schedule/schedule.hpp",
    "fettle/ndp/schedule/platform_traits.hpp",
    "fettle/ndp/shape/inspect_rows.hpp",
    "fettle/ndp/base/tuple.hpp",
)

# Its class is a base of a public one, which inherits all members.
INHERITED = "fettle/variant/code_variant_registration.hpp"

# Where the public declaration is, for a header that includes it only for nvcc.
DECLARED_IN = {
    "fettle/ndp/cuda/runtime/platform.hpp": "fettle/ndp/cuda/runtime/platform.cuh",
    "fettle/ndp/cuda_devices/platform.hpp": "fettle/ndp/cuda_devices/platform.cuh",
}

INCLUDED = re.compile(r"^#include <(fettle/[\w./]+\.(?:hpp|cuh))>(\s*//.*)?$", flags=re.MULTILINE)
NAMED = re.compile(r"^//.*<(fettle/[\w./]+\.hpp)>", flags=re.MULTILINE)
DECLARED = (
    re.compile(r"(?:struct|class|enum class)(?: \[\[nodiscard\]\])? (\w+)(?=[\s:{])(?!\s*;)"),
    re.compile(r"(?:concept|using) (\w+) ="),
    re.compile(r"(?:inline )?constexpr (?!auto\b)[\w:<>, ]+ (\w+)(?: =|;|\{)"),
    re.compile(r"(?!struct|class)(?:\[\[nodiscard\]\] )?[\w:<>,&* ]*?\b(\w+)\("),
)
NOT_NAMES = {"requires", "static_assert", "operator", "if", "FETTLE_HOST_DEVICE", "decltype"}


def first_comment(text: str) -> str:
    """The lines at the top of a header that say what it is for."""
    return "".join(
        line.removeprefix("//").removeprefix(" ")
        for line in re.match(r"(?://.*\n)*", text)[0].splitlines(keepends=True)
    )


def is_table_of_contents(text: str) -> bool:
    """Whether a header says so."""
    return "table of contents" in first_comment(text).lower()


def listed(header: str) -> Iterator[str]:
    """The public headers that a table of contents lists."""
    text = (INCLUDE / header).read_text(encoding="utf-8")
    for name, comment in INCLUDED.findall(text):
        if header in ENTRIES or comment:
            yield name
    yield from NAMED.findall(text)


def public_headers() -> list[str]:
    """All public headers, in the order of the tables of contents."""
    found: dict[str, None] = {}
    queue = [*ENTRIES, *BESIDE]
    while queue:
        header = queue.pop(0)
        if header in found:
            continue
        text = (INCLUDE / header).read_text(encoding="utf-8")
        found[header] = None
        if is_table_of_contents(text):
            queue += listed(header)
    return [header for header in found if public_names(header)]


def declarations(header: str) -> str:
    """The text of a header that declares its public names."""
    text = (INCLUDE / DECLARED_IN.get(header, header)).read_text(encoding="utf-8")
    return text.replace("::detail {", " {") if header == INHERITED else text


def concepts(header: str) -> list[str]:
    """Those of the public names that are concepts."""
    declared = re.findall(r"^concept (\w+) =", declarations(header), flags=re.MULTILINE)
    return [name for name in public_names(header) if name.split("::")[-1] in declared]


def public_names(header: str) -> list[str]:
    """The names that a header declares at namespace scope, with their namespaces."""
    text = declarations(header)
    text = re.sub(r"^namespace detail \{.*?^\}  // namespace detail", "", text, flags=re.M | re.S)
    # Short namespaces, which close without a comment, hold declarations of others' names.
    text = re.sub(r"^namespace [^\n]* \{\n[^{}]*\n\}$", "", text, flags=re.M)
    names: dict[str, None] = {}
    scopes: list[str] = []
    for line in text.splitlines():
        if opened := re.match(r"namespace ([\w: ]+) \{$", line):
            scopes.append(re.sub(r"::inline \w+", "", opened[1]).strip())
            continue
        if line.startswith("}  // namespace"):
            del scopes[-1:]
            continue
        if (
            line[:1].isspace()
            or not scopes
            or any("detail" in scope or scope == "std" for scope in scopes)
        ):
            continue
        line = re.sub(r"^(?:template <[^()]*?> )?", "", line)
        for pattern in DECLARED:
            if found := pattern.match(line):
                name = next(group for group in found.groups() if group)
                if name not in NOT_NAMES and not name.startswith("operator"):
                    names["::".join([*scopes, name])] = None
                break
    return list(names)


if __name__ == "__main__":
    for header in public_headers():
        print(header, *public_names(header))
