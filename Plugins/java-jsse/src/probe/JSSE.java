package probe;

import java.util.List;
import java.util.concurrent.ExecutorService;

/** The TLS library of the JDK. */
final class JSSE implements Backend {
    @Override
    public String name() {
        return "java-jsse";
    }

    @Override
    public String library() {
        return "SunJSSE";
    }

    @Override
    public String version() {
        return Runtime.version().toString();
    }

    @Override
    public List<String> capabilities() {
        return List.of(
                "presented-chain",
                "version-range",
                "trust-evaluation",
                "verified-path",
                "sni",
                "alpn",
                "key-reading",
                "ocsp-staple",
                "client-certificate-request");
    }

    @Override
    public HandshakeReport handshake(HandshakeRequest request, ExecutorService helpers) {
        return new Handshaker(request, new Dialer(helpers)).run();
    }

    @Override
    public TrustReading evaluate(TrustQuestion question) {
        return TrustJudge.evaluate(question);
    }
}
