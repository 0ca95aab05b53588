package probe;

/** Ends a handshake with a failure of the protocol's table. */
final class FailureException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    FailureException(Failure failure) {
        super(failure.message());
        this.failure = failure;
    }

    FailureException(String code, String message) {
        this(Failure.of(code, message));
    }

    FailureException(String code, Throwable error) {
        this(Failure.of(code, error));
    }

    Failure failure() {
        return failure;
    }
}
