package probe;

import java.time.Duration;

/** The end of a request's time, by the monotonic clock. */
record Deadline(long nanoTime) {
    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    long remainingNanos() {
        return nanoTime - System.nanoTime();
    }

    boolean isOver() {
        return remainingNanos() <= 0;
    }

    /** At least one, because a timeout of zero means none in the JDK. */
    int timeoutMillis() {
        return (int) Math.max(1, remainingNanos() / 1_000_000);
    }
}
