package probe.json;

/** The reason why a text is not JSON. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1;

    JsonException(String message, int offset) {
        super(message + " at character " + offset);
    }
}
