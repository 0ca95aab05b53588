package probe;

/** A request that lacks a member, or has one that does not mean anything. */
final class BadRequest extends Exception {
    private static final long serialVersionUID = 1;

    BadRequest(String message) {
        super(message);
    }
}
