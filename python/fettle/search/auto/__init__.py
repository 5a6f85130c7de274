"""The strategy `auto`: Bayesian optimization of log time, what Fettle recommends by default.

design          the first points, far from one another
models          two Gaussian processes of the measured values, and which of them is used when
                (surrogate, anova_surrogate; features and quotients are what they see of a point)
acquisition     which point is measured next (candidates: among which points)
stopping        when the search ends before its budget
constants       every number in one place, with meaning and source
strategy        Auto: the loop over all of it
"""

from fettle.search.auto.strategy import Auto

__all__ = ["Auto"]
