package probe;

import probe.json.Json;

/**
 * The reason why a handshake did not complete.
 *
 * @param code one of the protocol's table
 * @param message one sentence for a person
 * @param nativeCode the exception of Java, or null
 * @param alert the number of the alert received, or null
 */
record Failure(String code, String message, String nativeCode, Integer alert) {
    static Failure of(String code, String message) {
        return new Failure(code, message, null, null);
    }

    static Failure of(String code, Throwable error) {
        return new Failure(code, Refusal.words(error), error.getClass().getSimpleName(), null);
    }

    Json json() {
        return Json.object("code", code, "message", message, "nativeCode", nativeCode, "alert", alert);
    }
}
