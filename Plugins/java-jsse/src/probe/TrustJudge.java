package probe;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/** JSSE's trust decision, for handshakes and for chains from elsewhere alike. */
final class TrustJudge {
    private TrustJudge() {}

    /**
     * Decides on a question.
     *
     * <p>The trust manager decides whether a chain is accepted. It stops at the first problem, so if it rejects the
     * chain, the JDK is asked for the rest: for each certificate's validity, and for the name by itself.
     */
    static TrustReading evaluate(TrustQuestion question) {
        if (question.chain().isEmpty()) {
            return TrustReading.refused(TrustCause.MALFORMED, "there is no certificate", null, null);
        }
        var chain = new ArrayList<X509Certificate>(question.chain().size());
        for (var encoding : question.chain()) {
            try {
                chain.add(Certificates.parse(encoding));
            } catch (CertificateException e) {
                // In a handshake JSSE refuses all of a chain for one such certificate, wherever it stands.
                var words = Refusal.words(e);
                return TrustReading.refused(
                        words.contains("must be no longer than") ? TrustCause.TOO_COMPLEX : TrustCause.MALFORMED,
                        words,
                        e.getClass().getSimpleName(),
                        chain.size());
            }
        }
        try {
            return evaluate(question, chain);
        } catch (WorkLimit.Exceeded e) {
            return TrustReading.refused(TrustCause.TOO_COMPLEX, Refusal.words(e), null, null);
        } catch (RuntimeException e) {
            // The JDK's exception for values that it parsed and did not expect.
            return TrustReading.refused(TrustCause.MALFORMED, e.toString(), e.getClass().getSimpleName(), null);
        }
    }

    private static TrustReading evaluate(TrustQuestion question, List<X509Certificate> chain) {
        List<X509Certificate> path;
        try {
            path = path(question, chain);
        } catch (GeneralSecurityException e) {
            return TrustReading.refused(problems(question, chain, e));
        }
        if (question.maxDepth() != null && path.size() - 2 > question.maxDepth()) {
            return TrustReading.refused(
                    TrustCause.CONSTRAINT_VIOLATED, "there are more intermediates than asked for", null, null);
        }
        if (question.name() != null) {
            try {
                checkName(question, chain);
            } catch (GeneralSecurityException e) {
                return TrustReading.refused(List.of(nameProblem(e)));
            }
        }
        return TrustReading.accepted(Certificates.encodings(path));
    }

    /** The validated path of the chain by itself. */
    private static List<X509Certificate> path(TrustQuestion question, List<X509Certificate> chain)
            throws GeneralSecurityException {
        var anchors = question.anchors().certificates();
        if (question.purpose() == TrustQuestion.Purpose.ANY) {
            return AnyPurposePath.build(chain, anchors, question.instant());
        }
        var verdict = new Verdict(anchors, question.instant());
        verdict.check(chain, null, question.purpose());
        return verdict.path(chain.get(0));
    }

    /** The whole question, with the name: what the name may look like depends on the anchor too. */
    private static void checkName(TrustQuestion question, List<X509Certificate> chain)
            throws GeneralSecurityException {
        if (question.purpose() == TrustQuestion.Purpose.ANY) {
            checkNameAlone(question, chain.get(0));
        } else {
            new Verdict(question.anchors().certificates(), question.instant())
                    .check(chain, question.name(), question.purpose());
        }
    }

    /** A leaf that is trusted already is asked for its name only. */
    private static void checkNameAlone(TrustQuestion question, X509Certificate leaf) throws GeneralSecurityException {
        new Verdict(List.of(leaf), question.instant())
                .check(List.of(leaf), question.name(), TrustQuestion.Purpose.SERVER);
    }

    private static List<TrustProblem> problems(
            TrustQuestion question, List<X509Certificate> chain, GeneralSecurityException refusal) {
        var first = Refusal.of(refusal);
        var leaf = chain.get(0);
        var problems = new ArrayList<TrustProblem>();
        if (first.cause() == TrustCause.UNKNOWN_ISSUER && isSelfSigned(leaf)) {
            // JSSE reports only that there is no path. If the leaf is the only possible issuer, the leaf is self-signed.
            problems.add(new TrustProblem(TrustCause.SELF_SIGNED, first.message(), first.nativeCode(), 0));
        } else {
            problems.add(first);
        }
        for (int depth = 0; depth < chain.size(); depth++) {
            var problem = validity(chain.get(depth), question.instant(), depth);
            if (problem != null && !(problem.cause() == first.cause() && problem.depth().equals(first.depth()))) {
                problems.add(problem);
            }
        }
        if (question.name() != null) {
            try {
                checkNameAlone(question, leaf);
            } catch (GeneralSecurityException e) {
                problems.add(nameProblem(e));
            }
        }
        return problems;
    }

    private static TrustProblem nameProblem(GeneralSecurityException refusal) {
        return new TrustProblem(
                TrustCause.HOSTNAME_MISMATCH, Refusal.words(refusal), refusal.getClass().getSimpleName(), 0);
    }

    private static TrustProblem validity(X509Certificate certificate, Instant instant, int depth) {
        try {
            certificate.checkValidity(Date.from(instant));
            return null;
        } catch (CertificateExpiredException e) {
            return new TrustProblem(TrustCause.EXPIRED, Refusal.words(e), "CertificateExpiredException", depth);
        } catch (CertificateNotYetValidException e) {
            return new TrustProblem(
                    TrustCause.NOT_YET_VALID, Refusal.words(e), "CertificateNotYetValidException", depth);
        }
    }

    private static boolean isSelfSigned(X509Certificate certificate) {
        if (!certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
            return false;
        }
        try {
            certificate.verify(certificate.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
