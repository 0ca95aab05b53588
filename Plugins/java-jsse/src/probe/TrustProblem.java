package probe;

import probe.json.Json;

/**
 * One reason for a refusal.
 *
 * @param nativeCode JSSE's own name for it, or null
 * @param depth counted from the leaf, or null
 */
record TrustProblem(TrustCause cause, String message, String nativeCode, Integer depth) {
    Json json() {
        return Json.object("cause", cause.code(), "message", message, "nativeCode", nativeCode, "depth", depth);
    }
}
