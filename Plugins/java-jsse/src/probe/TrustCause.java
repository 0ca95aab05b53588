package probe;

import java.util.Locale;

/** The reason why a chain is not trusted, in the protocol's order of precedence. */
enum TrustCause {
    MALFORMED,
    TOO_COMPLEX,
    BAD_SIGNATURE,
    REVOKED,
    SELF_SIGNED,
    UNKNOWN_ISSUER,
    CONSTRAINT_VIOLATED,
    WRONG_PURPOSE,
    WEAK_SIGNATURE,
    WEAK_KEY,
    EXPIRED,
    NOT_YET_VALID,
    HOSTNAME_MISMATCH,
    OTHER;

    String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
