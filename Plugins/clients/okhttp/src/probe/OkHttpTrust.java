package probe;

import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.internal.tls.CertificateChainCleaner;
import okhttp3.internal.tls.OkHostnameVerifier;

/**
 * OkHttp's trust decision, in the order of its calls: the trust manager of the platform, without a name; OkHttp's own
 * verifier of names; and its cleaner of chains, for the path that pins are judged on.
 */
final class OkHttpTrust {
    private OkHttpTrust() {}

    static TrustReading evaluate(TrustQuestion question) throws GeneralSecurityException {
        // No endpoint is identified by JSSE: OkHttp does not ask it to.
        var platform =
                TrustJudge.evaluate(
                        new TrustQuestion(
                                question.chain(),
                                question.anchors(),
                                null,
                                question.instant(),
                                question.purpose(),
                                question.maxDepth()));
        var isRead = platform.problems().stream().noneMatch(problem -> problem.cause() == TrustCause.MALFORMED);
        if (question.chain().isEmpty() || !isRead) {
            return platform;
        }
        var problems = new ArrayList<>(platform.problems());
        if (question.name() != null) {
            var problem = nameProblem(Certificates.parse(question.chain().get(0)), question.name());
            if (problem != null) {
                problems.add(problem);
            }
        }
        if (!problems.isEmpty()) {
            return TrustReading.refused(problems);
        }
        // Pins are a matter of calls, and OkHttp calls servers only.
        return question.purpose() == TrustQuestion.Purpose.SERVER
                ? TrustReading.accepted(cleanedPath(question))
                : platform;
    }

    private static TrustProblem nameProblem(X509Certificate leaf, ProvedName name) {
        var host = UrlHost.of(name);
        if (host == null) {
            return new TrustProblem(TrustCause.HOSTNAME_MISMATCH, "OkHttp makes no URL of the name", null, 0);
        }
        if (OkHostnameVerifier.INSTANCE.verify(host, leaf)) {
            return null;
        }
        var names = OkHostnameVerifier.allSubjectAltNames(leaf);
        return new TrustProblem(
                TrustCause.HOSTNAME_MISMATCH,
                "Hostname " + host + " not verified, subjectAltNames: " + names,
                "SSLPeerUnverifiedException",
                0);
    }

    /** The cleaner's path, or null where it finds none: a client without pins does not ask it, and goes on. */
    private static List<byte[]> cleanedPath(TrustQuestion question) throws GeneralSecurityException {
        var chain = new ArrayList<Certificate>();
        for (var encoding : question.chain()) {
            chain.add(Certificates.parse(encoding));
        }
        try {
            var path = CertificateChainCleaner.get(manager(question)).clean(chain, "");
            return path.stream().map(certificate -> Certificates.encoding((X509Certificate) certificate)).toList();
        } catch (SSLPeerUnverifiedException e) {
            // Its message goes on with whole certificates.
            System.err.println("no path for pins: " + e.getMessage().lines().findFirst().orElse(""));
            return null;
        }
    }

    /** As in an app: the roots that the cleaner looks at are those that this manager lists, in its order. */
    private static X509TrustManager manager(TrustQuestion question) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance("PKIX");
        var parameters = Verdict.parameters(question.anchors().certificates(), question.instant());
        factory.init(new CertPathTrustManagerParameters(parameters));
        return (X509TrustManager) factory.getTrustManagers()[0];
    }
}
