"""The stage itself: which server is asked by which partition, and what a row of the answer is."""

from pathlib import Path

from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StringType

from .partition import PartitionScan
from .target import server

#: The options that the stage sets itself, with the reasons.
_OWN = {
    "--list": "the data frame is the list",
    "--resume": "Spark asks again for what was lost",
    "--retry-failed": "give retries=",
    "--shard": "a partition is a shard",
    "--format": "a row has the schema RESULT",
}


def probe_scan(
    frame, options=(), *, column="target", keep=(), program="probe", files=(), partitions=None, retries=1, rate=None,
    slots=None,
):
    """Runs `probe scan` once a partition, and returns a data frame of the results.

    A row is a target's result with one backend, as in `probe check --format json`, of the type RESULT; the columns in
    `keep` stand before it. A partition that is lost with its executor is asked again as a whole, and none of its
    earlier rows counts. Targets that show the same server are asked by one partition in a random order, so that
    `--spacing` holds for the whole job.

    Args:
        frame: a data frame.
        options: arguments of `probe scan`, like ["--backend", "nio", "--ca", "ca.pem"].
        column: the column of targets: each a line of a list, as `probe scan --help` describes it.
        keep: columns of the frame that the results repeat.
        program: the command on the executors.
        files: files of this machine that options name by their last part; they are sent along with the stage, so
            nothing secret belongs here.
        partitions: how many partitions the targets are spread over; as many as Spark has for shuffles if not given.
        retries: how often a target is asked again that was unreachable, failed the handshake, or met the overload of
            an executor.
        rate: the most targets a second that the whole job begins.
        slots: how many partitions are worked on at once; what the cluster has if not given. It divides the rate.
    Raises:
        ValueError: an argument that has no meaning here, with what to give instead.
    """
    options = [str(option) for option in options]
    for option in options:
        if option.split("=", 1)[0] in _OWN:
            name = option.split("=", 1)[0]
            raise ValueError(f"{name} can't be given to a stage: {_OWN[name]}")
    for name in keep:
        if name in _result_names():
            raise ValueError(f"the column '{name}' can't be kept: a result has one of that name; rename it before")
    if retries < 0:
        raise ValueError(f"retries={retries} is not a number of times; 0 asks each target once")
    if rate is not None and rate <= 0:
        raise ValueError(f"rate={rate} lets no target begin; leave it out for no limit")
    if rate is not None and slots is None:
        slots = _slots(frame)
    contents = {}
    for file in map(Path, files):
        if file.name in contents:
            raise ValueError(f"two files are named '{file.name}'; options could mean either: rename one")
        contents[file.name] = file.read_bytes()

    targets = frame.select(F.col(column).cast(StringType()).alias("target"), *keep)
    place = F.udf(server, StringType())(F.col("target"))
    spread = targets.repartition(partitions, place) if partitions else targets.repartition(place)
    # Another order than the list's: neighbours there are often neighbours in a network.
    spread = spread.sortWithinPartitions(F.xxhash64("target"))
    kept = to_arrow_schema(targets.select(*keep).schema) if keep else []
    scan = PartitionScan(program, options, contents, retries, rate / slots if rate else None, list(kept))
    return spread.mapInArrow(scan, from_arrow_schema(scan.schema))


def _result_names():
    from .result import RESULT

    return set(RESULT.names)


def _slots(frame):
    """Returns how many tasks the cluster runs at once."""
    try:
        return frame.sparkSession.sparkContext.defaultParallelism
    except Exception as error:  # a session on another machine has no context to ask
        raise ValueError("this session does not say how many tasks run at once; give slots= beside rate=") from error
