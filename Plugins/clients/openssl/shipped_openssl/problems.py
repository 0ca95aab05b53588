"""What a library with OpenSSL's functions finds wrong with a chain."""

from probe_plugin.verify_codes import CODES

_MOST = 50


def find(library, context, callback_type, codes=CODES):
    """Verifies, and returns all problems found: it goes on after an error, where a client stops at the first."""
    problems = []

    def note(is_good, store_context):
        if not is_good and len(problems) < _MOST:
            code = library.X509_STORE_CTX_get_error(store_context)
            found = _problem(library, codes, code, library.X509_STORE_CTX_get_error_depth(store_context))
            if found not in problems:
                problems.append(found)
        return 1

    callback = callback_type(note)
    library.X509_STORE_CTX_set_verify_cb(context, callback)
    if library.X509_verify_cert(context) != 1 and not problems:
        problems.append(_problem(library, codes, library.X509_STORE_CTX_get_error(context), None))
    return problems


def _problem(library, codes, code, depth):
    name, cause = codes.get(code, (str(code), "other"))
    message = library.X509_verify_cert_error_string(code).decode()
    return {"cause": cause, "message": message, "nativeCode": f"X509_V_ERR_{name}", "depth": depth}


def refusal(problems):
    """A decision that is a no."""
    return {"accepted": False, "problems": problems, "path": None}


def malformed(message, depth=None):
    """A no to a chain that can't be read."""
    return refusal([{"cause": "malformed", "message": message, "nativeCode": None, "depth": depth}])
