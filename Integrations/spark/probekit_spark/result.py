"""The schema of a result as Arrow types, read from the JSON schema that the command's own tests hold."""

import json
from importlib.resources import files

import pyarrow as pa

_SCALARS = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}


def arrow_type(schema):
    """Returns the Arrow type of a JSON schema: objects are structs, arrays lists; times stay text as in JSON."""
    kinds = schema.get("type", "string")
    kind = next(kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null")
    if kind == "object":
        return pa.struct([(name, arrow_type(value)) for name, value in schema["properties"].items()])
    if kind == "array":
        return pa.list_(arrow_type(schema["items"]))
    return _SCALARS[kind]


# Not by __file__: Spark leaves the zip files of --py-files packed.
_SCHEMA = files(__package__).joinpath("probe-1.schema.json").read_text("utf-8")

#: The columns of a result. Keys that the command adds later are left out until this package knows them.
RESULT = pa.schema(list(arrow_type(json.loads(_SCHEMA))))


def error_result(line):
    """Returns the result that stands for a line of the list which names no target (`probe-scan-error/1`)."""
    finding = {"code": line["outcome"], "severity": "error", "message": line["message"], "fix": line["fix"]}
    place = {"id": line["id"], "line": line["line"], "result": 1, "results": 1, "retry": False}
    return {key: line[key] for key in ("schema", "outcome", "target")} | {"findings": [finding], "scan": place}
