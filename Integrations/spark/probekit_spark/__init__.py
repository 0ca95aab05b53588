"""`probe scan` as a stage of a Spark job: one data frame of targets in, one of verdicts out."""

from .result import RESULT
from .scan import probe_scan

__all__ = ["RESULT", "probe_scan"]
