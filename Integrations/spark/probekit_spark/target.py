"""The server and the number of targets that a line of text names, before it is probed."""

import json
import re
from urllib.parse import urlsplit

_RANGE = re.compile(r"\[?([0-9a-fA-F.:]+)/(\d{1,3})(?=\s*[:,\]]|\s*$)")


def server(text):
    """Returns what tells the servers of two targets apart as far as their text shows: the dialled host."""
    text = (text or "").strip()
    if text.startswith("{"):
        try:
            record = json.loads(text)
            text = str(record.get("connect") or record.get("target") or "").strip()
        except (ValueError, AttributeError):
            return text
    if "://" in text:
        return (urlsplit(text).hostname or "") if _is_url(text) else text
    dialled = text.split(",", 1)[0].rstrip()
    if dialled.startswith("["):
        return dialled[1:].split("]", 1)[0].lower()
    host, colon, _ = dialled.rpartition(":")
    return (host if colon and ":" not in host else dialled).lower().rstrip(".")


def weight(text):
    """Returns the number of targets that a line names: the addresses of a range, or 1."""
    found = _RANGE.match((text or "").strip())
    if not found:
        return 1
    bits = 128 if ":" in found[1] else 32
    return 2 ** min(max(bits - int(found[2]), 0), 32)


def line(text):
    """Returns the text as one line of a list. One that has line breaks names no target, and still has one answer."""
    return " ".join((text or "").splitlines()) if text else ""


def _is_url(text):
    try:
        return urlsplit(text).hostname is not None
    except ValueError:
        return False
