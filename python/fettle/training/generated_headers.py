"""Writes the headers that the program includes: the policies, and models compiled into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fettle.core.cpp_names import model_header_name
from fettle.model.embedded_model import embedded_model_header
from fettle.model.model_directory import read_model
from fettle.training.build import Build
from fettle.training.code_variant import CodeVariant
from fettle.training.policy_header import existing_header, policy_header
from fettle.training.settings import Settings


def write_policy_header(settings: Settings, functions: Sequence[CodeVariant], build: Build) -> None:
    """Writes the policies of `functions` into the settings' header; others' policies stay.

    Raises FettleError where the file is not one that Fettle wrote.
    """
    assert settings.config_header is not None
    path = settings.place(settings.config_header)
    text = policy_header(
        functions,
        settings.place(settings.model_directory),
        embedded=[
            function.name
            for function in functions
            if function.embed_model and _model_header(path, function.name).exists()
        ],
        existing=existing_header(path),
        macros=settings.built_with,
    )
    build.write(path, text)


def write_model_header(settings: Settings, function: CodeVariant, build: Build) -> None:
    """Writes the header of a function's deployed model beside the policies."""
    assert settings.config_header is not None
    model = read_model(settings.place(settings.model_directory) / function.name)
    path = _model_header(settings.place(settings.config_header), function.name)
    build.write(path, embedded_model_header(model))


def _model_header(header: Path, name: str) -> Path:
    return header.with_name(model_header_name(name))
