package probe;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A request's turn to compute.
 *
 * <p>Clients and the keys of a ClientHello are most of the work. If hundreds were made at a time, all would be late; so
 * there are as many turns as processors.
 */
final class Turn {
    private static final Semaphore TURNS = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    private boolean isTaken;

    /** Waits for a turn, but not beyond the deadline: what goes on then finds that its time is over. */
    void take(Deadline deadline) {
        try {
            isTaken = isTaken || TURNS.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void end() {
        if (isTaken) {
            isTaken = false;
            TURNS.release();
        }
    }
}
