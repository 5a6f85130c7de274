"""`fettle tune SCRIPT`: runs a tuning script, with settings given on the command line."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any

from fettle.cli.parser import did_you_mean
from fettle.core.errors import FettleError
from fettle.store.address import is_address

USAGE = "fettle tune [settings] script.py [settings] [script's arguments]"


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle tune`."""
    parser = commands.add_parser(
        "tune",
        help="run a tuning script",
        description="Run a tuning script as python would, with the settings given here in place of "
        "those in the script. What was measured before is not measured again.",
        epilog="Settings may stand before and after the script; other arguments, and all that "
        "follow --, are passed to the script.",
        usage=USAGE,
        parents=[_settings()],
        allow_abbrev=False,
    )
    parser.add_argument(
        "script", nargs=argparse.REMAINDER, help="the tuning script (python), and its arguments"
    )
    parser.set_defaults(run=run)


def _settings() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fettle tune", usage=USAGE, add_help=False, allow_abbrev=False
    )
    parser.add_argument("--fresh", action="store_true", help="measure everything anew")
    parser.add_argument(
        "--fresh-variant",
        action="append",
        metavar="NAME",
        help="measure this variant anew on all inputs; may be given several times",
    )
    parser.add_argument(
        "--clean", action="store_true", help="run the clean command before the build"
    )
    parser.add_argument("--plain", action="store_true", help="plain lines instead of a live bar")
    parser.add_argument("--no-report", action="store_true", help="write no report page")
    parser.add_argument(
        "--no-compare",
        action="store_true",
        help="deploy the model without running it against the untuned program",
    )
    parser.add_argument(
        "--allow-busy",
        action="store_true",
        help="status 0 too where the machine was too busy to tune: what was deployed before stays",
    )
    parser.add_argument(
        "--from-source",
        action="store_true",
        help="make the models from what other machines of the database measured, without a run",
    )
    parser.add_argument(
        "--measure",
        type=int,
        metavar="N",
        help="with --from-source: measure the N most telling training inputs here",
    )
    parser.add_argument(
        "--portable",
        action="store_true",
        help="with --from-source: one model for all machines, specialised where it is loaded",
    )
    parser.add_argument("--database", type=Path, metavar="FILE", help="where measurements are kept")
    parser.add_argument(
        "--store", metavar="PLACE", help="in place of it: another file, or redis://HOST/0"
    )
    parser.add_argument(
        "--executor", metavar="NAME", help="measure on others: dask://HOST:PORT, or mpi"
    )
    parser.add_argument("--model-directory", type=Path, metavar="DIR", help="where models go")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the header that is generated")
    parser.add_argument(
        "--build-directory", type=Path, metavar="DIR", help="of an NdpTuner: where it builds"
    )
    parser.add_argument("--report-directory", type=Path, metavar="DIR", help="where reports go")
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds of silence allowed")
    parser.add_argument("--time-budget", type=float, metavar="S", help="begin no input after that")
    parser.add_argument("--seed", type=int, help="of everything random")
    return parser


def _divide(options: argparse.Namespace) -> tuple[Path, list[str]]:
    """The script and its arguments; settings that follow the script go into `options`."""
    words: list[str] = options.script
    if words[:1] == ["--"]:
        words = words[1:]
    if not words:
        raise FettleError("`fettle tune` needs a tuning script, as in: fettle tune tune.py")
    script, *rest = words
    end = rest.index("--") if "--" in rest else len(rest)
    settings = _settings()
    _, arguments = settings.parse_known_args(rest[:end], options)
    known = [name for name in settings._option_string_actions if name.startswith("--")]
    for word in arguments:
        if word.startswith("--") and (hint := did_you_mean(word.partition("=")[0], known)):
            print(
                f"fettle: warning: the script gets the argument {word}{hint} Write -- before "
                "arguments of the script",
                file=sys.stderr,
            )
    return Path(script), [*arguments, *rest[end + 1 :]]


def run(options: argparse.Namespace) -> int:
    """Runs the script; its status. Raises FettleError: the script's, or where there is none.

    Any other error of the script is shown as python would show it, and the status is 1. So it is
    where the machine was too busy to tune a function: what was deployed before has stayed; but 0
    with --allow-busy.
    """
    from fettle.training.executors import opened_executor

    script, arguments = _divide(options)
    try:
        script.open("rb").close()
    except OSError as error:
        raise FettleError(
            f"cannot read the tuning script {script}: {error.strerror}; name a python file "
            f"(current directory: {Path.cwd()})"
        ) from None
    if options.plain:
        os.environ["NO_COLOR"] = "1"
    overrides = _overrides(options)
    with opened_executor(options.executor) as (executor, tunes):
        if not tunes:
            return 0
        if executor is not None:
            overrides["executor"] = executor
        return _run_script(script, arguments, overrides, options.allow_busy)


def _run_script(
    script: Path, arguments: list[str], overrides: dict[str, Any], allow_busy: bool
) -> int:
    from fettle.training.session import unsteady_functions
    from fettle.training.settings import override_settings, were_asked_for

    unsteady = unsteady_functions()
    override_settings(overrides)
    before = sys.argv, sys.path[:]
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.resolve().parent))
    try:
        runpy.run_path(str(script), run_name="__main__")
        has_tuned = were_asked_for()
    except SystemExit as end:
        return _status(end)
    except (FettleError, BrokenPipeError):
        raise
    except Exception as error:
        _show(error, str(script))
        return 1
    finally:
        sys.argv, sys.path[:] = before
        override_settings({})
    if not has_tuned:
        print(
            f"fettle: {script} tuned nothing: it has to call tune() or itune() of an Autotuner or "
            "an NdpTuner; see docs/tuning-guide.md",
            file=sys.stderr,
        )
        return 1
    return 0 if allow_busy or unsteady_functions() == unsteady else 1


def _show(error: Exception, script: str) -> None:
    """The traceback from the script on: what stands before is how it was started."""
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename != script:
        frame = frame.tb_next
    traceback.print_exception(type(error), error, frame)


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    named = ("database", "model_directory", "report_directory", "timeout", "time_budget", "seed")
    values = {name: getattr(options, name) for name in named}
    values |= {"build_directory": options.build_directory, "config_header": options.output}
    for name, value in list(values.items()):
        if value is None:
            del values[name]
        elif isinstance(value, Path):  # relative to where the command is typed
            values[name] = value.resolve()
    if options.store is not None:
        store = options.store
        values["store"] = store if is_address(store) else str(Path(store).resolve())
    elif options.database is not None:
        values["store"] = None  # of the script
    if options.no_compare:
        values["comparing"] = None
    if options.no_report:
        values["report_directory"] = None
    if options.fresh_variant:
        values["fresh_variants"] = tuple(options.fresh_variant)
    values |= {name: True for name in ("fresh", "clean", "from_source") if getattr(options, name)}
    if options.portable:
        if not options.from_source:
            raise FettleError(
                "--portable is for --from-source: a model of this machine alone knows no other"
            )
        values["portable"] = True
    if options.measure is not None:
        if not options.from_source:
            raise FettleError(
                "--measure N is for --from-source: without it all training inputs are measured"
            )
        values["measured_here"] = options.measure
    return values


def _status(end: SystemExit) -> int:
    if isinstance(end.code, int) or end.code is None:
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1
