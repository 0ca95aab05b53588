package probe;

import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import probe.json.Json;

/** The facts of a handshake, recorded as they are seen: a failure leaves the earlier ones here. */
final class HandshakeReport {
    private static final List<String> NAMES = List.of("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");

    String address;
    String sni;
    List<byte[]> chain = List.of();
    Boolean clientCertificateRequested;
    byte[] ocspStaple;
    TrustReading trust;
    Failure failure;
    final Timings timings = new Timings();

    private String version;
    private String cipherSuite;
    private String alpn;

    /** Seconds, null where it did not come to it. */
    static final class Timings {
        Double connect;
        Double handshake;
        Double trust;
    }

    /** Records the negotiated parameters, as far as they are known. */
    void read(SSLSession session, SSLEngine engine) {
        read(session);
        var protocol = engine.getApplicationProtocol();
        readProtocol(protocol == null ? engine.getHandshakeApplicationProtocol() : protocol);
    }

    /** Records the version and the cipher suite. */
    void read(SSLSession session) {
        int version = NAMES.indexOf(session.getProtocol());
        if (version >= 0) {
            this.version = "1." + version;
        }
        var suite = session.getCipherSuite();
        if (!"SSL_NULL_WITH_NULL_NULL".equals(suite)) {
            // The oldest suites have kept a prefix that IANA's registry does not have.
            cipherSuite = suite.replaceFirst("^SSL_", "TLS_");
        }
    }

    /** Records the protocol chosen by ALPN; it may be null or empty. */
    void readProtocol(String protocol) {
        alpn = protocol == null || protocol.isEmpty() ? null : protocol;
    }

    Json json() {
        return Json.object(
                "address", address,
                "sni", sni,
                "chain", chain,
                "keys", chain.stream().map(KeyReading::of).toList(),
                "version", version,
                "cipherSuite", cipherSuite,
                "group", null,
                "alpn", alpn,
                "ocspStaple", ocspStaple,
                "handshakeSCTs", List.of(),
                "clientCertificateRequested", clientCertificateRequested,
                "trust", trust == null ? null : trust.json(),
                "http", null,
                "timings",
                        Json.object(
                                "connect", timings.connect,
                                "handshake", timings.handshake,
                                "trust", timings.trust),
                "failure", failure == null ? null : failure.json());
    }
}
