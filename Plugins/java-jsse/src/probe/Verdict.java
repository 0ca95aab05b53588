package probe;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** JSSE's trust manager for some anchors at an instant, asked as a handshake asks it. */
final class Verdict {
    /** JSSE's name of the key exchange of TLS 1.3 for its trust manager: the key has to be one for signatures. */
    private static final String KEY_EXCHANGE = "UNKNOWN";

    private final Collection<X509Certificate> anchors;
    private final PathRecorder recorder = new PathRecorder();
    private final X509ExtendedTrustManager manager;

    /** @throws GeneralSecurityException above all if there is no anchor */
    Verdict(Collection<X509Certificate> anchors, Instant instant) throws GeneralSecurityException {
        this.anchors = anchors;
        var parameters = parameters(anchors, instant);
        parameters.addCertPathChecker(recorder);
        var factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(new CertPathTrustManagerParameters(parameters));
        manager = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    static PKIXBuilderParameters parameters(Collection<X509Certificate> anchors, Instant instant)
            throws GeneralSecurityException {
        Set<TrustAnchor> trusted =
                anchors.stream().map(anchor -> new TrustAnchor(anchor, null)).collect(Collectors.toSet());
        var parameters = new PKIXBuilderParameters(trusted, new X509CertSelector());
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(instant));
        parameters.addCertPathChecker(new WorkLimit());
        return parameters;
    }

    /** Returns where the chain is accepted for the name, or by itself where the name is null. */
    void check(List<X509Certificate> chain, ProvedName name, TrustQuestion.Purpose purpose)
            throws CertificateException {
        var presented = chain.toArray(new X509Certificate[0]);
        var engine = new OfflineEngine(name);
        if (purpose == TrustQuestion.Purpose.CLIENT) {
            manager.checkClientTrusted(presented, KEY_EXCHANGE, engine);
        } else {
            manager.checkServerTrusted(presented, KEY_EXCHANGE, engine);
        }
    }

    /** The path of the chain that was accepted last, from the leaf to the anchor. */
    List<X509Certificate> path(X509Certificate leaf) {
        var path = recorder.path();
        if (path.isEmpty()) {
            // A leaf that is an anchor is trusted as it is: there was nothing to validate.
            return List.of(leaf);
        }
        var last = path.get(path.size() - 1);
        anchors.stream().filter(anchor -> hasIssued(anchor, last)).findFirst().ifPresent(path::add);
        return path;
    }

    private static boolean hasIssued(X509Certificate issuer, X509Certificate certificate) {
        if (!issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
            return false;
        }
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
