package probe.json;

/** The text is no JSON, and why. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1;

    JsonException(String message, int offset) {
        super(message + " at character " + offset);
    }
}
