"""`fettle store list | merge A B | export --t4 FILE | import FILE`: stores of measurements."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.core.errors import FettleError
from fettle.core.wording import counted

if TYPE_CHECKING:
    from fettle.store.base import Store
    from fettle.store.merge import Merged

PLACE = "such as fettle.sqlite, or redis://HOST/0"


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `fettle store`."""
    parser = commands.add_parser(
        "store",
        help="list, merge, export and import measurements",
        description="Measurements of tuners, in files or on a Redis server.",
    )
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    add = actions.add_parser(
        "list",
        help="what a store has measurements of",
        description="List what was measured: function, program, machine, inputs and runs.",
    )
    _add_store(add)
    add.add_argument("--json", action="store_true", help="print JSON")
    add.set_defaults(run=_list)
    add = actions.add_parser(
        "merge",
        help="take the measurements of one store into another",
        description="Take all measurements of B into A. Runs that A has already, or has deleted, "
        "change nothing: merging twice is merging once.",
    )
    add.add_argument("into", metavar="A", help=f"the store that grows, {PLACE}")
    add.add_argument("other", metavar="B", help="the store that stays as it is")
    add.set_defaults(run=_merge)
    add = actions.add_parser(
        "export",
        help="write a store in T4, which other auto-tuners read",
        description="Write all measurements as a T4 file, the results format of the auto-tuning "
        "community (JSON schema 1.0.0). `fettle export --csv` writes a table for training.",
    )
    add.add_argument("--t4", type=Path, required=True, metavar="FILE", help="the file to write")
    _add_store(add)
    add.set_defaults(run=_export)
    add = actions.add_parser(
        "import",
        help="read a T4 file into a store",
        description="Read a T4 file of Fettle or of another auto-tuner. Importing twice is "
        "importing once.",
    )
    add.add_argument("file", type=Path, metavar="FILE", help="the T4 file")
    _add_store(add)
    add.add_argument("--function", default="", metavar="NAME", help="what another tuner tuned")
    add.add_argument("--machine", default="", metavar="NAME", help="the machine that it tuned on")
    add.add_argument("--input", default="", metavar="TEXT", help="the input (default: the file)")
    add.set_defaults(run=_import)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store",
        default="fettle.sqlite",
        metavar="PLACE",
        help=f"the store, {PLACE} (default fettle.sqlite)",
    )


def _list(options: argparse.Namespace) -> int:
    from fettle.store.place import open_store

    with open_store(options.store, must_exist=True) as store:
        found = []
        for subject in store.subjects():
            inputs = store.inputs(subject)
            held = [store.contents(subject, given) for given in inputs]
            runs = [one.run for its in held for one in its.runs.values()]
            hosts = sorted({run.host for run in runs if run.host})
            samples = sum(len(r.values) for h in held for s in h.runs.values() for r in s.rows)
            counts = {"inputs": len(inputs), "runs": len(runs), "samples": samples}
            found.append({**vars(subject), **counts, "hosts": hosts})
        if options.json:
            print(json.dumps({"store": store.place, "guid": store.guid, "subjects": found}))
            return 0
        print(f"{store.place}: {counted(len(found), 'subject')}")
        for one in found:
            where = f" (on {', '.join(one['hosts'])})" if one["hosts"] else ""
            print(
                f"{one['function']}: {counted(one['inputs'], 'input')}, "
                f"{counted(one['runs'], 'run')}, {counted(one['samples'], 'sample')} of "
                f"{one['program']} on {one['machine']}{where}"
                + (f", {one['conditions']}" if one["conditions"] else "")
            )
        for other in store.other_tuners():
            print(f"in use by {other}")
        _warn(store)
    return 0


def _merge(options: argparse.Namespace) -> int:
    from fettle.store.merge import merge
    from fettle.store.place import open_store

    with open_store(options.other, must_exist=True) as other, open_store(options.into) as into:
        found = merge(into, other)
        _warn(into)
    return _report(found, into, f"from {other.place}")


def _export(options: argparse.Namespace) -> int:
    from fettle.core.written_file import check_writable, write_whole
    from fettle.store.place import open_store
    from fettle.store.t4 import t4_document

    check_writable(options.t4, "the T4 file")
    with open_store(options.store, must_exist=True) as store:
        document = t4_document(store)
    write_whole(options.t4, json.dumps(document, allow_nan=False).encode())
    print(f"{counted(len(document['results']), 'result')} in {options.t4}")
    return 0


def _import(options: argparse.Namespace) -> int:
    from fettle.store.merge import merge
    from fettle.store.place import open_store
    from fettle.store.t4_import import Foreign, read_t4

    if not options.file.exists():
        raise FettleError(f"the file {options.file} does not exist; give a T4 file")
    foreign = Foreign(options.function, options.machine, options.input)
    # the file first: what cannot be read leaves no new store
    with read_t4(options.file, foreign) as imported, open_store(options.store) as store:
        found = merge(store, imported)
        _warn(store)
    return _report(found, store, f"from {options.file}")


def _report(found: Merged, store: Store, source: str) -> int:
    """Says what was taken; the status is 1 where something had to be left out."""
    print(f"{store.place}: {counted(found.runs, 'new run')} {source}")
    for why in found.left_out:
        print(f"fettle: left out: {why}", file=sys.stderr)
    return 1 if found.left_out else 0


def _warn(store: Store) -> None:
    for warning in store.warnings():
        print(f"fettle: warning: {warning}", file=sys.stderr)
