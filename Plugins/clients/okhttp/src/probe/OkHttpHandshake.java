package probe;

import java.io.IOException;
import java.net.Proxy;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;

/**
 * A call of an OkHttpClient that ends after the handshake.
 *
 * <p>OkHttp asks its verifier of names when the handshake is complete, and before it sends anything. The one here
 * writes down what was negotiated and says no, so that OkHttp itself closes the connection.
 */
final class OkHttpHandshake {
    private final HandshakeRequest request;
    private final HandshakeReport report = new HandshakeReport();
    private final TappedSockets sockets;
    private final HostAddresses addresses;
    private final PresentedChain presented = new PresentedChain(report, this::readNegotiation);
    private final RequestWitness certificateRequest = new RequestWitness();
    private final Turn turn = new Turn();
    private boolean isComplete;
    private boolean hasServerHello;
    private long start;

    /** @param threads for look-ups */
    OkHttpHandshake(HandshakeRequest request, ExecutorService threads) {
        this.request = request;
        sockets = new TappedSockets(request.deadline());
        addresses = new HostAddresses(request, threads);
    }

    /** Everything but the trust in what was presented. */
    HandshakeReport run() {
        try {
            turn.take(request.deadline());
            var client = client();
            turn.end();
            call(client);
        } catch (FailureException e) {
            report.failure = e.failure();
        } catch (GeneralSecurityException | RuntimeException e) {
            report.failure = Failure.of("backend-error", e);
        } finally {
            turn.end();
        }
        if (certificateRequest.isRequested()) {
            report.clientCertificateRequested = true;
        }
        return report;
    }

    private void call(OkHttpClient client) {
        start = System.nanoTime();
        var url = new HttpUrl.Builder().scheme("https").host(UrlHost.of(request.name())).port(request.port()).build();
        try {
            client.newCall(new Request.Builder().url(url).build()).execute().close();
        } catch (IOException | RuntimeException e) {
            // JSSE throws more than the checked exceptions for unexpected bytes.
            report.failure = isComplete ? null : failure(e);
        }
        if (sockets.connected() != null) {
            var reached = sockets.connected();
            report.address = UrlAddress.of(reached.getInetAddress(), reached.getPort());
            Dialer.close(reached);
        }
    }

    private Failure failure(Exception error) {
        if (addresses.failure != null) {
            return addresses.failure;
        } else if (sockets.connected() != null) {
            return CallFailures.shaking(error, sockets.connected(), isChainTooLong(Refusal.words(error)));
        } else if (error instanceof IOException connecting) {
            return CallFailures.connecting(connecting);
        }
        return Failure.of("backend-error", error);
    }

    /** After the ServerHello, only the chain may be as long as the limit for messages. */
    private boolean isChainTooLong(String words) {
        return presented.isTooLong()
                || words.contains("certificate chain length")
                || (words.contains("size of the handshake message") && hasServerHello && report.chain.isEmpty());
    }

    /** A context and a client for every call, so that there is no session to resume and no connection to reuse. */
    private OkHttpClient client() throws FailureException, GeneralSecurityException {
        if (request.deadline().isOver()) {
            throw new FailureException("local-overload", "the deadline passed before a connection was tried");
        }
        if (UrlHost.of(request.name()) == null) {
            throw new FailureException("unsupported", "OkHttp makes no URL of the name");
        }
        var context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {certificateRequest}, new TrustManager[] {presented}, null);
        var specification = specification(context.getSocketFactory());
        var time = Duration.ofMillis(request.deadline().timeoutMillis());
        var builder =
                new OkHttpClient.Builder()
                        .proxy(Proxy.NO_PROXY)
                        .dns(addresses)
                        .socketFactory(sockets)
                        .sslSocketFactory(new LayeredSockets(context.getSocketFactory(), this::layered), presented)
                        .hostnameVerifier((host, session) -> complete(session))
                        .connectionSpecs(List.of(specification))
                        .connectTimeout(time)
                        .readTimeout(time)
                        .writeTimeout(time);
        return request.alpn().isEmpty() ? builder.build() : withProtocols(builder);
    }

    /** OkHttp's offer of its default clients, of the versions asked for. Without ALPN its TLS extensions are off. */
    @SuppressWarnings("deprecation")
    private ConnectionSpec specification(SSLSocketFactory platform) throws FailureException {
        try (var socket = (SSLSocket) platform.createSocket()) {
            var specification =
                    new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
                            .tlsVersions(request.protocols().toArray(new String[0]))
                            .supportsTlsExtensions(!request.alpn().isEmpty())
                            .build();
            if (!specification.isCompatible(socket)) {
                throw new FailureException("unsupported", "the JDK forbids the TLS versions that are asked for");
            }
            return specification;
        } catch (IOException e) {
            throw new FailureException("backend-error", e);
        }
    }

    private OkHttpClient withProtocols(OkHttpClient.Builder builder) throws FailureException {
        try {
            var protocols = new ArrayList<Protocol>();
            for (var name : request.alpn()) {
                protocols.add(Protocol.get(name));
            }
            var client = builder.protocols(protocols).build();
            if (client.protocols().equals(protocols)) {
                return client;
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new FailureException("unsupported", e);
        }
        throw new FailureException("unsupported", "OkHttp does not offer all of these protocols");
    }

    /** Called with a connection that has no handshake yet. */
    private void layered(SSLSocket socket) {
        report.timings.connect = secondsSince(start);
        sockets.connected()
                .beforeReading(
                        () -> {
                            turn.end();
                            hasServerHello |= socket.getHandshakeSession() != null;
                        });
        turn.take(request.deadline());
        start = System.nanoTime();
        for (var name : sentNames(socket)) {
            report.sni = name;
        }
    }

    private static List<String> sentNames(SSLSocket socket) {
        var names = socket.getSSLParameters().getServerNames();
        return names == null
                ? List.of()
                : names.stream().map(name -> new SNIHostName(name.getEncoded()).getAsciiName()).toList();
    }

    private void readNegotiation(SSLSocket socket) {
        report.read(socket.getHandshakeSession());
        report.readProtocol(socket.getHandshakeApplicationProtocol());
        if (socket.getHandshakeSession() instanceof ExtendedSSLSession session) {
            report.ocspStaple =
                    session.getStatusResponses().stream().findFirst().filter(s -> s.length > 0).orElse(null);
        }
    }

    private boolean complete(SSLSession session) {
        isComplete = !sockets.connected().isBroken();
        report.timings.handshake = secondsSince(start);
        report.clientCertificateRequested = certificateRequest.isRequested();
        report.read(session);
        sockets.connected().finish();
        return false;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
