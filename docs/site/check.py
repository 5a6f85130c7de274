"""Checks the built site: every public name is in the reference, and no link is broken.

    python docs/site/check.py FOLDER_OF_HTML

Public names are read from the headers and from the package `fettle`, not from the site's sources.
Exits with 1 and a line for each name or link at fault.
"""

from __future__ import annotations

import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from public_headers import public_headers, public_names


class Page(HTMLParser):
    """The anchors and the links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect ids, and what is referred to."""
        for name, value in attrs:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            elif value and name in ("href", "src"):
                self.links.add(value)


def referenced(site: Path) -> dict[str, str]:
    """The names of the reference and where each is described, from Sphinx's inventory."""
    inventory = (site / "objects.inv").read_bytes()
    lines = zlib.decompress(inventory.split(b"\n", 4)[4]).decode("utf-8").splitlines()
    found = {}
    for line in lines:
        name, role, _, address, _ = line.split(" ", 4)
        if role.startswith(("cpp:", "py:")):
            found[name] = address.replace("$", name)
    return found


def missing_names(site: Path) -> list[str]:
    """The public names without a description."""
    import fettle

    names = [name for header in public_headers() for name in public_names(header)]
    names += [f"fettle.{name}" for name in dir(fettle) if not name.startswith("_")]
    described = referenced(site)
    return [f"{name}: not in the reference" for name in names if name not in described]


def broken_links(site: Path) -> list[str]:
    """The links within the site that lead nowhere."""
    pages = {path: Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("#!"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = pages.get(target)
            if not target.exists() or (anchor and known and anchor not in known.anchors):
                broken.append(f"{path.relative_to(site)}: {link} leads nowhere")
    return broken


def main(arguments: list[str]) -> int:
    """Print what is at fault."""
    site = Path(arguments[0]).resolve()
    faults = missing_names(site) + broken_links(site)
    print(*faults, sep="\n", end="\n" if faults else "")
    if not faults:
        print(f"{len(referenced(site))} names described, no broken link: {site / 'index.html'}")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
