package probe;

import java.security.cert.Certificate;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Writes down which certificates JSSE validates, because its trust manager keeps the path to itself.
 *
 * <p>It takes part in the validation as a checker that has nothing against any certificate. The certificates come from
 * the anchor's side towards the leaf; the anchor is not among them.
 */
final class PathRecorder extends PKIXCertPathChecker {
    /** Shared by the copies that the validation works with. */
    private final List<X509Certificate> seen = new ArrayList<>();

    /** The leaf first, without the anchor; of several attempts the last. */
    List<X509Certificate> path() {
        var path = new ArrayList<X509Certificate>();
        seen.forEach(certificate -> path.add(0, certificate));
        return path;
    }

    @Override
    public void init(boolean forward) {
        seen.clear();
    }

    @Override
    public boolean isForwardCheckingSupported() {
        return false;
    }

    @Override
    public Set<String> getSupportedExtensions() {
        return null;
    }

    @Override
    public void check(Certificate certificate, Collection<String> unresolvedCriticalExtensions) {
        seen.add((X509Certificate) certificate);
    }

    /** The same one, for the copies have to write into one list. */
    @Override
    public PathRecorder clone() {
        return this;
    }
}
