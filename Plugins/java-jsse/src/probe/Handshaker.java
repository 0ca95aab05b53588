package probe;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.TrustManager;

/** Makes one handshake and reports what was seen of it. */
final class Handshaker {
    /**
     * Making the keys of a ClientHello is most of a handshake's work. Hundreds at a time would keep the processors from
     * those whose deadline has come, so as many are made as there are processors.
     */
    private static final Semaphore PROCESSORS = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    private final HandshakeRequest request;
    private final Dialer dialer;
    private final HandshakeReport report = new HandshakeReport();
    private final ChainWitness chainWitness = new ChainWitness(report);
    private final RequestWitness requestWitness = new RequestWitness();

    Handshaker(HandshakeRequest request, Dialer dialer) {
        this.request = request;
        this.dialer = dialer;
    }

    /** Everything but the trust in what was presented. */
    HandshakeReport run() {
        try {
            var engine = engine();
            long start = System.nanoTime();
            var socket = dialer.connect(request);
            try {
                report.timings.connect = secondsSince(start);
                report.address = address(socket);
                handshake(engine, socket);
            } finally {
                Dialer.close(socket);
            }
        } catch (FailureException e) {
            report.failure = e.failure();
        } catch (RuntimeException e) {
            report.failure = Failure.of("backend-error", e);
        }
        return report;
    }

    /** Waits for its turn, but not beyond the deadline. */
    private SSLEngine engine() throws FailureException {
        try {
            if (!PROCESSORS.tryAcquire(request.deadline().remainingNanos(), TimeUnit.NANOSECONDS)) {
                throw new FailureException("connect-timeout", "the deadline passed before a connection was tried");
            }
            try {
                return newEngine();
            } finally {
                PROCESSORS.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException("backend-error", e);
        }
    }

    /** A new context for every handshake, so that there is no session to resume. */
    private SSLEngine newEngine() throws FailureException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {requestWitness}, new TrustManager[] {chainWitness}, null);
            // Without a host: JSSE would make an SNI of it by rules of its own.
            var engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            var parameters = engine.getSSLParameters();
            parameters.setProtocols(request.protocols().toArray(new String[0]));
            parameters.setApplicationProtocols(request.alpn().toArray(new String[0]));
            parameters.setServerNames(serverNames());
            engine.setSSLParameters(parameters);
            // This makes the ClientHello, before anyone is dialled: what can't be offered shows here.
            engine.beginHandshake();
            return engine;
        } catch (IllegalArgumentException | SSLException e) {
            throw new FailureException("unsupported", e);
        } catch (GeneralSecurityException e) {
            throw new FailureException("backend-error", e);
        }
    }

    private List<SNIServerName> serverNames() {
        return request.name() instanceof ProvedName.Dns dns ? List.of(new HostName(dns.name())) : List.of();
    }

    /** A host name as it is: SNIHostName refuses names that have an underscore. */
    private static final class HostName extends SNIServerName {
        HostName(String name) {
            super(StandardConstants.SNI_HOST_NAME, name.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void handshake(SSLEngine engine, Socket socket) throws FailureException {
        var conversation = new Conversation(engine, socket, request.deadline());
        long start = System.nanoTime();
        try {
            report.sni = request.name() instanceof ProvedName.Dns dns ? dns.name() : null;
            conversation.handshake();
            report.timings.handshake = secondsSince(start);
            report.read(engine.getSession(), engine);
            report.clientCertificateRequested = requestWitness.isRequested();
            conversation.close();
        } catch (SSLException | RuntimeException e) {
            // JSSE, or the JDK below it, throws a RuntimeException for unexpected bytes.
            throw new FailureException(failure(e, conversation));
        } finally {
            if (requestWitness.isRequested()) {
                report.clientCertificateRequested = true;
            }
        }
    }

    private Failure failure(Exception error, Conversation conversation) {
        var words = Refusal.words(error);
        if (Alerts.isReceived(words)) {
            return new Failure("alert-received", words, error.getClass().getSimpleName(), Alerts.number(words));
        } else if (words.contains("Received close_notify during handshake")) {
            return Failure.of("connection-closed", error);
        } else if (!conversation.peerSpeaksTLS()) {
            return Failure.of("not-tls", error);
        } else if (isChainTooLong(words, conversation)) {
            return Failure.of("chain-too-long", error);
        }
        return Failure.of("protocol-error", error);
    }

    /** After the ServerHello, the one message that may be as long as the limit for messages is the chain. */
    private boolean isChainTooLong(String words, Conversation conversation) {
        return chainWitness.isChainTooLong()
                || words.contains("certificate chain length")
                || (words.contains("size of the handshake message")
                        && conversation.hasServerHello()
                        && report.chain.isEmpty());
    }

    private static String address(Socket socket) {
        var address = socket.getInetAddress().getHostAddress().replaceFirst("%.*", "");
        return (address.contains(":") ? "[" + compressed(address) + "]" : address) + ":" + socket.getPort();
    }

    /** As RFC 5952 section 4.2 has it: the longest run of zeros, the first of equals, is two colons. */
    private static String compressed(String address) {
        var groups = address.split(":");
        int best = 0;
        int bestLength = 1;
        for (int i = 0; i < groups.length; i++) {
            int length = 0;
            while (i + length < groups.length && groups[i + length].equals("0")) {
                length++;
            }
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
        }
        if (bestLength == 1) {
            return address;
        }
        var all = List.of(groups);
        return String.join(":", all.subList(0, best)) + "::"
                + String.join(":", all.subList(best + bestLength, groups.length));
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
