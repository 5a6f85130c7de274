"""Programs and builds that the tuner starts: nothing of them outlives their use, nor the tuner."""

from fettle.processes.supervised import SupervisedProcess

__all__ = ["SupervisedProcess"]
