"""Where tuning puts its files: the build directory, the header, the models and the measurements."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from fettle.core.errors import FettleError
from fettle.core.written_file import check_writable
from fettle.ndp.build_steps import HEADER
from fettle.ndp.manifest import FILE
from fettle.store.sqlite import SqliteStore
from fettle.training.policy_header import existing_header
from fettle.training.settings import override_of

PathLike: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True)
class Places:
    """Absolute paths."""

    directory: Path
    header: Path
    models: Path
    database: Path

    @staticmethod
    def of(
        source: PathLike,
        platform: str,
        *,
        directory: PathLike | None,
        header: PathLike | None,
        models: PathLike | None,
        database: PathLike | None,
    ) -> Places:
        """The places of a program. The command line precedes what is given, that the defaults."""
        built = override_of("build_directory") or directory
        folder = Path(built or f"fettle_build/{Path(source).stem}.{platform}").resolve()
        named = override_of("config_header") or header
        config = Path(named or Path(source).with_name(HEADER)).resolve()
        named = override_of("model_directory") or models
        learned = Path(named or config.parent / "fettle_models").expanduser().resolve()
        named = override_of("database") or database
        measured = Path(named or folder / "fettle.sqlite").expanduser().resolve()
        return Places(folder, config, learned, measured)

    def check(self) -> None:
        """Raises FettleError where the files cannot be written, or the database is not usable."""
        if override_of("from_source"):
            raise FettleError(
                "--from-source is for an Autotuner: the candidates of an NdpTuner are of this "
                "machine's compiler and limits; leave out --from-source"
            )
        check_writable(self.directory / FILE, "the build's")
        check_writable(self.header, "the header")
        existing_header(self.header)
        check_writable(self.models / "model.txt", "a model")
        if self.database.parent != self.directory or self.database.exists():
            SqliteStore(self.database).close()
