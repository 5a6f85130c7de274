"""Source lines of the core computations, one form each, as the papers count them (table VIII)."""

from definitions import ALL
from sloc import lines_of


def printed_lines(name: str) -> int:
    """The lines of a benchmark's form that the papers print."""
    code = ALL[name].code
    lines = lines_of(code.get("as printed", code["ours"]))
    assert lines is not None
    return lines
