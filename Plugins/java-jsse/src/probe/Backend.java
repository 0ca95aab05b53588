package probe;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** The TLS library that a program asks. */
interface Backend {
    String name();

    String library();

    String version();

    List<String> capabilities();

    /**
     * Makes one handshake and reports what was seen of it, without the trust in what was presented.
     *
     * @param helpers for look-ups, which know no deadline of their own
     */
    HandshakeReport handshake(HandshakeRequest request, ExecutorService helpers);

    TrustReading evaluate(TrustQuestion question) throws GeneralSecurityException;
}
