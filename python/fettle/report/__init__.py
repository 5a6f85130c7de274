"""How good a tuned function is: the numbers, the text, the page.

`write_report(result, directory)` leaves report.txt, report.html and report.json there;
`print_report(result)` prints the text; `show_result` does both at the end of tuning. The parts:
`contents` gathers what a report shows; `text`, `page` and `record` show it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from fettle.core.wording import printable
from fettle.core.written_file import write_together

if TYPE_CHECKING:
    from fettle.core.progress import Display
    from fettle.data.tuning_result import TuningResult

PAGE = "report.html"


def show_result(result: TuningResult, folder: Path | None, display: Display) -> None:
    """Prints the report, and writes the page into `folder` where one is given.

    Where an earlier run made the same result, prints its headlines; the page is there already.
    Says, instead of raising OSError, where it cannot be written.
    """
    if result.current_since is None:
        print_report(result)
    else:
        print("\n".join(current_lines(result)))
    if folder is not None and not (result.current_since and (folder / PAGE).exists()):
        try:
            display.say(f"report: {write_report(result, folder)}")
        except OSError as error:  # the model is written: that counts
            display.say(f"warning: no report: {error.filename}: {error.strerror}")


def current_lines(result: TuningResult) -> list[str]:
    """What there is to say where nothing was to do: since when, and what the model is worth."""
    from fettle.report.contents import report_of

    report = report_of(result)
    name, since = printable(result.function), result.current_since
    current = f"{name}: nothing to do: the model of {since:%Y-%m-%d %H:%M} is current"
    return [*report.alarms(), current, *report.headlines()]


def write_report(result: TuningResult, directory: str | Path) -> Path:
    """Write report.txt, report.html and report.json into `directory`; return the page's path.

    The directory is made if absent; OSError if it cannot be written, and what was there stays. The
    page is one file without scripts or references. Takes about a second, most of it the pictures.
    """
    from fettle.report.contents import report_of
    from fettle.report.page import page
    from fettle.report.record import report_json
    from fettle.report.text import report_text

    folder = Path(directory)
    report = report_of(result)
    texts = {
        "report.txt": report_text(report),
        "report.json": report_json(report),
        PAGE: page(report),
    }
    pages = [
        (folder / name, text.encode(errors="backslashreplace")) for name, text in texts.items()
    ]
    write_together(pages)
    return folder / PAGE


def print_report(result: TuningResult, stream: TextIO | None = None) -> None:
    """Print the report to `stream` (standard output): coloured on a terminal, otherwise plain."""
    from fettle.report.contents import report_of
    from fettle.report.text import print_to

    print_to(report_of(result), stream)
