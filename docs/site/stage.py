"""Prepares the documentation's sources in a folder: pages, and what the reference is made of.

    python docs/site/stage.py FOLDER

- FOLDER/pages: the project's Markdown files, in the sections below, with links that fit there;
- FOLDER/headers: the public headers under names that occur once, for Doxygen;
- FOLDER/pages/reference: a page for each public header, for each name of the Python package, and
  one for the command line. Breathe and autodoc fill them from the comments.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
from pathlib import Path

from public_headers import (
    INCLUDE,
    ROOT,
    concepts,
    declarations,
    first_comment,
    public_headers,
)

# The sections of the site, in the order of reading; the entry page is docs/README.md.
ENTRY = "docs/README.md"
SECTIONS = {
    "Begin": ("docs/tutorial.md", "README.md", "examples/README.md"),
    "Guides": (
        "docs/tuning-guide.md",
        "docs/parameters.md",
        "docs/ndp-guide.md",
        "docs/ndp-tuning.md",
        "docs/search.md",
        "docs/transfer.md",
        "docs/team.md",
        "docs/objectives.md",
        "docs/approximate.md",
    ),
    "Explanation": ("docs/ndp-schedules.md", "docs/layers.md"),
    "Reference": (
        "reference/variant.md",
        "reference/ndp.md",
        "reference/python.md",
        "reference/commands.md",
        "docs/formats.md",
    ),
    "Project": (
        "benchmarks/README.md",
        "benchmarks/results/README.md",
        "benchmarks/results/tuned.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ),
}
EXAMPLES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "examples").rglob("README.md")
    if path.parent != ROOT / "examples"
)
PAGES = [
    ENTRY,
    *(p for pages in SECTIONS.values() for p in pages if (ROOT / p).exists()),
    *EXAMPLES,
]

FENCE = re.compile(r"(^```.*?^```$)", flags=re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^][]|\[[^]]*\])*)\]\(([^)\s]+)\)")
PICTURE = re.compile(
    r'<picture><source [^>]*srcset="([^"]+)"><img [^>]*alt="([^"]*)" src="([^"]+)"></picture>'
)


def staged(page: str) -> str:
    """Where a page of the project is on the site."""
    if page == ENTRY:
        return "index.md"
    if page == "docs/search.md":
        return "search-strategies.md"  # search.html is Sphinx's own
    if page.startswith("reference/"):
        return page
    name = page.removesuffix("/README.md") if page.endswith("/README.md") else page
    name = "overview" if name == "README.md" else name.removesuffix(".md").removeprefix("docs/")
    return f"{name.replace('/', '-').lower()}.md"


def relative(target: str, page: str) -> str:
    """A path on the site, seen from a page."""
    return os.path.relpath(target, Path(staged(page)).parent)


def linked(page: str, target: str, pages: Path) -> str | None:
    """What a link of a page becomes: a page, or a copy of a file; none for a folder."""
    name, _, anchor = target.partition("#")
    path = os.path.normpath(Path(page).parent / name) if name else page
    if (ROOT / path).is_dir():
        readme = f"{path}/README.md".removeprefix("./")
        path = readme if readme in PAGES else path
    if path in PAGES:
        return relative(staged(path), page) + (f"#{anchor}" if anchor else "")
    if not (ROOT / path).is_file():
        return None
    copy = pages / "files" / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / path, copy)
    return relative(f"files/{path}", page)


def stage_page(page: str, pages: Path) -> None:
    """Copy a page; its code stays as it is, its links and pictures are those of the site."""

    def link(found: re.Match[str]) -> str:
        mark, text, target = found.groups()
        if target.startswith(("https://", "http://")):
            return found[0]
        there = linked(page, target, pages)
        if there is None and (ROOT / page).parent.joinpath(target).is_dir():
            return text
        return f"{mark}[{text}]({there or target})"

    def picture(found: re.Match[str]) -> str:
        dark, alt, light = found.groups()
        return "\n".join(
            f"\n```{{image}} {linked(page, name, pages)}\n:alt: {alt}\n:class: only-{theme}\n```\n"
            for theme, name in (("light", light), ("dark", dark))
        )

    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r'^<p align="center">\n|^</p>\n', "", text, flags=re.MULTILINE)
    pieces = [p if p.startswith("```") else LINK.sub(link, p) for p in FENCE.split(text)]
    text = PICTURE.sub(picture, "".join(pieces).replace("```layers", "```text"))
    (pages / staged(page)).write_text(text, encoding="utf-8")


def contents() -> str:
    """The site's tables of contents, which the entry page ends with."""
    text = ""
    for caption, names in SECTIONS.items():
        lines = [staged(name).removesuffix(".md") for name in names]
        if caption == "Begin":
            lines += [staged(name).removesuffix(".md") for name in EXAMPLES]
        text += (
            f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(lines) + "\n```\n"
        )
    return text


def flat(header: str) -> str:
    """A header's path as the name of a file."""
    return header.removeprefix("fettle/").replace("/", ".")


def stage_header(header: str, folder: Path) -> None:
    """Copy a header without its ABI namespaces; indented lines of comments become code."""
    text = declarations(header)
    text = re.sub(r"::inline FETTLE_\w*ABI", "", text)
    # Specialisations of the standard library's templates are not names of this one.
    text = re.sub(
        r"^template <[^;{}()]*>\n(?:struct|inline constexpr bool) std::[^;]*;(?:\n\};)?$",
        "",
        text,
        flags=re.MULTILINE,
    )
    # Doxygen and Sphinx read neither a requires clause without parentheses nor these initialisers.
    text = re.sub(r"requires ([\w:<>, ]+)$", r"requires(\1)", text, flags=re.MULTILINE)
    text = re.sub(
        r"(constexpr bool \w+) =\s+(?:requires .*?\};|\[\] .*?\}\(\);)$",
        r"\1;",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    lines: list[str] = []
    in_code = False
    for line in text.splitlines():
        comment = re.match(r"( *///)( {3,})(\S.*)?$", line)
        if comment:
            if not in_code and lines and lines[-1].strip() != "///":
                lines.append(comment[1])
            lines.append(f"{comment[1]}    {comment[2]}{comment[3]}")
        else:
            lines.append(line)
        in_code = bool(comment)
    (folder / flat(header)).write_text("\n".join(lines) + "\n", encoding="utf-8")


def header_page(header: str) -> str:
    """The page of a header: its first comment, and what Doxygen reads in it."""
    text = first_comment((INCLUDE / header).read_text(encoding="utf-8"))
    prose = ""
    for paragraph in text.strip().split("\n\n"):
        if re.search(r"^ {2}", paragraph, flags=re.MULTILINE):
            prose += f"```text\n{paragraph}\n```\n\n"
        else:
            prose += re.sub(r"([\\*_<>|~])", r"\\\1", paragraph) + "\n\n"
    return (
        f"# {title_of(header)}\n\n{prose}```cpp\n#include <{header}>\n```\n\n"
        f"```{{doxygenfile}} {flat(header)}\n```\n"
        + "".join(f"\n```{{doxygenconcept}} {name}\n```\n" for name in concepts(header))
    )


def title_of(header: str) -> str:
    """The name of a header's page: of a platform's header with the platform."""
    path = Path(header)
    platform = next(
        (
            name
            for name in ("openmp", "openmp_nodes", "tbb", "cuda", "cuda_devices")
            if name in path.parts
        ),
        "",
    )
    return path.stem if platform in ("", path.stem) else f"{platform}: {path.stem}"


def stage_cpp(folder: Path, pages: Path) -> None:
    """The public headers and their pages."""
    names = public_headers()
    for header in names:
        stage_header(header, folder / "headers")
        (pages / "reference" / f"{flat(header)}.md").write_text(header_page(header), "utf-8")
    for part, title, beside in (
        ("variant", "C++: tuned functions", "core"),
        ("ndp", "C++: nested computations", ""),
    ):
        own = [name for name in names if name.split("/")[1] in (part, beside)]
        listed = "\n".join(flat(header) for header in sorted(own, key=title_of))
        (pages / "reference" / f"{part}.md").write_text(
            f"# {title}\n\nThe public headers; `<fettle/{part}.hpp>` includes those that most "
            f"programs need.\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n",
            "utf-8",
        )


def stage_python(pages: Path) -> None:
    """A page for each name of the package."""
    import fettle

    names = [name for name in dir(fettle) if not name.startswith("_")]
    for name in names:
        kind = "class" if isinstance(getattr(fettle, name), type) else "function"
        if isinstance(getattr(fettle, name), type(os)):
            kind = "module"
        members = ":members:\n:undoc-members:\n" if kind != "function" else ""
        (pages / "reference" / f"python-{name}.md").write_text(
            f"# fettle.{name}\n\n```{{eval-rst}}\n.. auto{kind}:: fettle.{name}\n"
            + "".join(f"   {line}\n" for line in members.splitlines())
            + "```\n",
            "utf-8",
        )
    listed = "\n".join(f"python-{name}" for name in names)
    (pages / "reference" / "python.md").write_text(
        "# Python\n\nThe names of `import fettle`.\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n",
        "utf-8",
    )


def stage_commands(pages: Path) -> None:
    """What each command of the command line says to --help."""
    from fettle.cli import main

    def help_of(*command: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            main([*command, "--help"])
        return out.getvalue()

    def commands_in(text: str) -> list[str]:
        found = re.search(r"\{([\w,-]+)\}", text)
        return found[1].split(",") if found and "positional arguments" in text else []

    text = "# Command line\n"
    queue: list[tuple[str, ...]] = [()]
    while queue:
        command = queue.pop(0)
        shown = help_of(*command)
        text += f"\n## {' '.join(('fettle', *command))}\n\n```text\n{shown.rstrip()}\n```\n"
        if len(command) < 2:
            queue = [(*command, name) for name in commands_in(shown)] + queue
    (pages / "reference" / "commands.md").write_text(text, "utf-8")


def stage(folder: Path) -> None:
    """All of it, anew."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    shutil.rmtree(folder / "headers", ignore_errors=True)
    (pages / "reference").mkdir(parents=True)
    (folder / "headers").mkdir()
    for page in PAGES:
        stage_page(page, pages)
    entry = pages / staged(ENTRY)
    entry.write_text(entry.read_text("utf-8") + contents(), "utf-8")
    stage_cpp(folder, pages)
    stage_python(pages)
    stage_commands(pages)


if __name__ == "__main__":
    os.environ["COLUMNS"] = "100"
    stage(Path(sys.argv[1]))
