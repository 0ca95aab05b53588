"""The exit codes of the benches: 0, and 1 where figures are whole and one misses its target. A bench that broke off ends with 2."""

import sys
import traceback

BROKEN = 2


def run(main):
    """Runs a bench; where it raises an error or gives up with a message, for which Python's own code is 1, it ends with 2."""
    try:
        main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            raise
        print(end.code, file=sys.stderr)
        sys.exit(BROKEN)
    except Exception:
        traceback.print_exc()
        sys.exit(BROKEN)
