package probe;

import java.security.cert.Certificate;
import java.security.cert.PKIXCertPathChecker;
import java.util.Collection;
import java.util.Set;

/**
 * Ends a search for a path that goes on and on.
 *
 * <p>The JDK's path builder tries every order of certificates that call each other issuer, and has no bound of its own.
 */
final class WorkLimit extends PKIXCertPathChecker {
    private static final int MAXIMUM_STEPS = 5_000;

    private int steps;

    /** Not one the builder expects, so that it leaves the search and not only this branch of it. */
    static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1;

        Exceeded() {
            super("the search for a path was given up after " + MAXIMUM_STEPS + " certificates");
        }
    }

    @Override
    public void init(boolean forward) {}

    /** So that it is asked while the path is searched, and not only when one is found. */
    @Override
    public boolean isForwardCheckingSupported() {
        return true;
    }

    @Override
    public Set<String> getSupportedExtensions() {
        return null;
    }

    @Override
    public void check(Certificate certificate, Collection<String> unresolvedCriticalExtensions) {
        if (++steps > MAXIMUM_STEPS) {
            throw new Exceeded();
        }
    }

    /** The same one, for the copies have to count together. */
    @Override
    public WorkLimit clone() {
        return this;
    }
}
