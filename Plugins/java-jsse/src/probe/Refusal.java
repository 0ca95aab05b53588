package probe;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXReason;

/** An exception of JSSE about a chain, as one of our problems. */
final class Refusal {
    private Refusal() {}

    /** The depth is the index in the path, which counts from the leaf as the protocol does. */
    static TrustProblem of(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathValidatorException failed) {
                return of(failed);
            } else if (cause instanceof CertPathBuilderException failed && failed.getCause() == null) {
                return new TrustProblem(TrustCause.UNKNOWN_ISSUER, words(failed), "CertPathBuilderException", null);
            } else if (cause instanceof CertificateParsingException) {
                return new TrustProblem(TrustCause.MALFORMED, words(cause), "CertificateParsingException", null);
            }
        }
        return new TrustProblem(byWords(words(error)), words(error), error.getClass().getSimpleName(), null);
    }

    private static TrustProblem of(CertPathValidatorException failed) {
        var reason = failed.getReason();
        var code =
                reason == BasicReason.UNSPECIFIED
                        ? "CertPathValidatorException"
                        : reason.getClass().getSimpleName() + "." + reason;
        var depth = failed.getIndex() < 0 ? null : failed.getIndex();
        return new TrustProblem(cause(reason, words(failed)), words(failed), code, depth);
    }

    private static TrustCause cause(Reason reason, String words) {
        if (reason instanceof BasicReason basic) {
            return switch (basic) {
                case EXPIRED -> TrustCause.EXPIRED;
                case NOT_YET_VALID -> TrustCause.NOT_YET_VALID;
                case INVALID_SIGNATURE -> TrustCause.BAD_SIGNATURE;
                case REVOKED -> TrustCause.REVOKED;
                case ALGORITHM_CONSTRAINED -> weakness(words);
                case UNSPECIFIED -> byWords(words);
                default -> TrustCause.OTHER;
            };
        } else if (reason instanceof PKIXReason pkix) {
            return switch (pkix) {
                case NO_TRUST_ANCHOR, NAME_CHAINING -> TrustCause.UNKNOWN_ISSUER;
                case NOT_CA_CERT,
                        PATH_TOO_LONG,
                        INVALID_KEY_USAGE,
                        INVALID_POLICY,
                        INVALID_NAME,
                        UNRECOGNIZED_CRIT_EXT -> TrustCause.CONSTRAINT_VIOLATED;
            };
        }
        return TrustCause.OTHER;
    }

    /** JSSE has one reason for all that {@code jdk.certpath.disabledAlgorithms} forbids; its message names the key. */
    private static TrustCause weakness(String words) {
        return words.contains("keysize") || words.contains("curve") || words.contains("key algorithm")
                        || words.contains("bit key") || words.contains("public key")
                ? TrustCause.WEAK_KEY
                : TrustCause.WEAK_SIGNATURE;
    }

    /** Exceptions with a message and no reason: above all for the leaf and its name. */
    private static TrustCause byWords(String words) {
        if (words.contains("No name matching")
                || words.contains("No subject alternative")
                || words.contains("Illegal given domain name")) {
            return TrustCause.HOSTNAME_MISMATCH;
        } else if (words.contains("KeyUsage does not allow")
                || words.contains("Extended key usage does not")
                || words.contains("Netscape cert type")) {
            return TrustCause.WRONG_PURPOSE;
        } else if (words.contains("trustAnchors parameter must be non-empty")) {
            return TrustCause.UNKNOWN_ISSUER;
        } else if (words.contains("is not a CA certificate")
                || words.contains("keyCertSign")
                || words.contains("critical extensions")
                || words.contains("name constraints")) {
            return TrustCause.CONSTRAINT_VIOLATED;
        }
        return TrustCause.OTHER;
    }

    static String words(Throwable error) {
        return error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
    }
}
