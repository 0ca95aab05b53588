package probe;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Finds the host's addresses and connects to the first that answers. */
final class Dialer {
    private static final Pattern ADDRESS =
            Pattern.compile(
                    "(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\\.(?!$)|$)){4}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private final ExecutorService threads;

    /** @param threads for look-ups, which know no deadline of their own */
    Dialer(ExecutorService threads) {
        this.threads = threads;
    }

    Socket connect(HandshakeRequest request) throws FailureException {
        Failure last = Failure.of("connect-timeout", "the deadline passed before a connection was tried");
        for (var address : addresses(request)) {
            if (request.deadline().isOver()) {
                break;
            }
            var socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                socket.connect(
                        new InetSocketAddress(address, request.port()), request.deadline().timeoutMillis());
                return socket;
            } catch (IOException e) {
                last = failure(e);
                close(socket);
            }
        }
        throw new FailureException(last);
    }

    private InetAddress[] addresses(HandshakeRequest request) throws FailureException {
        if (isAddress(request.host())) {
            try {
                return new InetAddress[] {InetAddress.getByName(request.host())};
            } catch (UnknownHostException e) {
                throw new FailureException("name-not-found", e);
            }
        }
        var lookup = threads.submit(() -> InetAddress.getAllByName(request.host()));
        try {
            return lookup.get(Math.max(0, request.deadline().remainingNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            lookup.cancel(true);
            throw new FailureException("name-lookup-failed", "the look-up did not end before the deadline");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException("backend-error", e);
        } catch (ExecutionException e) {
            throw new FailureException(lookupCode(e.getCause()), e.getCause());
        }
    }

    /** Returns true if Java reads, or rejects, a host without a look-up. */
    private static boolean isAddress(String host) {
        return ADDRESS.matcher(host).matches();
    }

    /** The JDK hands on the words of getaddrinfo, and no code. */
    private static String lookupCode(Throwable error) {
        var words = Refusal.words(error).toLowerCase(Locale.ROOT);
        return error instanceof UnknownHostException
                        && (words.contains("not known")
                                || words.contains("no address associated")
                                || words.contains("nodename nor servname"))
                ? "name-not-found"
                : "name-lookup-failed";
    }

    private static Failure failure(IOException error) {
        var words = Refusal.words(error);
        if (error instanceof SocketTimeoutException || words.contains("timed out")) {
            return Failure.of("connect-timeout", error);
        } else if (error instanceof NoRouteToHostException
                || words.contains("unreachable")
                || words.contains("assign requested address")
                || words.contains("not supported")) {
            return Failure.of("network-unreachable", error);
        } else if (error instanceof ConnectException) {
            return Failure.of(words.contains("reset") ? "connection-reset" : "connection-refused", error);
        }
        return Failure.of("network-unreachable", error);
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            System.err.println("a socket could not be closed: " + e);
        }
    }
}
