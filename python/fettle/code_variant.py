"""A tuning script's CodeVariant and classifiers, under the papers' names too (figure 2.3)."""

from fettle.classifiers import AutoClassifier, SvmClassifier, TreeClassifier
from fettle.core.paper_name import call_as
from fettle.training.code_variant import CodeVariant

__all__ = [
    "AutoClassifier",
    "CodeVariant",
    "SvmClassifier",
    "TreeClassifier",
    "auto_classifier",
    "code_variant",
    "svm_classifier",
    "tree_classifier",
]

code_variant = CodeVariant
svm_classifier = SvmClassifier
tree_classifier = TreeClassifier
auto_classifier = AutoClassifier
call_as(__name__, CodeVariant)
