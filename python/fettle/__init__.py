"""Fettle's tuner: teaches C++ code which of several variants is best for which input."""

import importlib
from typing import TYPE_CHECKING, Any

from fettle.core import cores as cores  # before all that may bind this thread to one of them
from fettle.core.version import __version__ as __version__

if TYPE_CHECKING:
    from fettle import search as search
    from fettle.autotuner import Autotuner as Autotuner
    from fettle.autotuner import Comparing as Comparing
    from fettle.autotuner import Measuring as Measuring
    from fettle.autotuner import SecondRound as SecondRound
    from fettle.classifiers import AutoClassifier as AutoClassifier
    from fettle.classifiers import ExtraTreesClassifier as ExtraTreesClassifier
    from fettle.classifiers import ForestClassifier as ForestClassifier
    from fettle.classifiers import KccaClassifier as KccaClassifier
    from fettle.classifiers import SvmClassifier as SvmClassifier
    from fettle.classifiers import ThresholdClassifier as ThresholdClassifier
    from fettle.classifiers import TreeClassifier as TreeClassifier
    from fettle.code_variant import CodeVariant as CodeVariant
    from fettle.core.errors import FettleError as FettleError
    from fettle.data.tuning_result import TuningResult as TuningResult
    from fettle.model.deployed import Choice as Choice
    from fettle.model.deployed import DeployedModel as DeployedModel
    from fettle.model.deployed import load as load
    from fettle.ndp_tuner import NdpTuner as NdpTuner
    from fettle.search.parameter import Parameter as Parameter
    from fettle.search.parameter_search import ParameterSearch as ParameterSearch
    from fettle.training.search_limits import SearchLimits as SearchLimits


# Imported at first use: `fettle --version` must not wait for scikit-learn.
_HOMES = {
    "Autotuner": "fettle.autotuner",
    "CodeVariant": "fettle.code_variant",
    "Comparing": "fettle.autotuner",
    "Measuring": "fettle.autotuner",
    "SecondRound": "fettle.autotuner",
    "NdpTuner": "fettle.ndp_tuner",
    "FettleError": "fettle.core.errors",
    "ParameterSearch": "fettle.search.parameter_search",
    "Parameter": "fettle.search.parameter",
    "TuningResult": "fettle.data.tuning_result",
    "SearchLimits": "fettle.training.search_limits",
    "Choice": "fettle.model.deployed",
    "DeployedModel": "fettle.model.deployed",
    "load": "fettle.model.deployed",
    "SvmClassifier": "fettle.classifiers",
    "ThresholdClassifier": "fettle.classifiers",
    "TreeClassifier": "fettle.classifiers",
    "ExtraTreesClassifier": "fettle.classifiers",
    "ForestClassifier": "fettle.classifiers",
    "KccaClassifier": "fettle.classifiers",
    "AutoClassifier": "fettle.classifiers",
    # The papers' names: `from fettle import *` in place of `from nitro import *`.
    "svm_classifier": "fettle.code_variant",
    "tree_classifier": "fettle.code_variant",
    "auto_classifier": "fettle.code_variant",
}
_MODULES = ("autotuner", "code_variant", "search")  # the first two are called as the papers' names
__all__ = ["__version__", *_MODULES, *_HOMES]  # names of the dictionary


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name in _MODULES:
        return importlib.import_module(f"fettle.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'fettle' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, whether imported yet or not."""
    return sorted(__all__)
