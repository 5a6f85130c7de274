"""A support vector machine of three classes and two inputs, for tests of models."""

from fettle.model.svm import SvmPredictor

SVM = SvmPredictor(
    """svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 3
total_sv 4
rho 0.1 -0.2 0.3
label 2 0 1
nr_sv 2 1 1
SV
1 0.5 1:-1 2:0.25
0.25 0 2:1
-1 0.75 1:0.5
-0.25 -0.75 1:1 2:-0.125
"""
)
