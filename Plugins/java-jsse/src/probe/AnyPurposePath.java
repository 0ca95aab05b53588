package probe;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A path for a chain that serves no TLS peer: the JDK's path builder, which is below JSSE's trust manager too. */
final class AnyPurposePath {
    private AnyPurposePath() {}

    /** The path from the leaf to the anchor. */
    static List<X509Certificate> build(List<X509Certificate> chain, List<X509Certificate> anchors, Instant instant)
            throws GeneralSecurityException {
        var leaf = chain.get(0);
        if (anchors.contains(leaf)) {
            return List.of(leaf);
        }
        var parameters = Verdict.parameters(anchors, instant);
        var target = new X509CertSelector();
        target.setCertificate(leaf);
        parameters.setTargetCertConstraints(target);
        parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
        var result = (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
        var path = new ArrayList<X509Certificate>();
        result.getCertPath().getCertificates().forEach(certificate -> path.add((X509Certificate) certificate));
        path.add(result.getTrustAnchor().getTrustedCert());
        return path;
    }
}
