package probe;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Dns;

/** The addresses of the host to dial, whatever name is to be proved there. */
final class HostAddresses implements Dns {
    private final HandshakeRequest request;
    private final ExecutorService threads;

    /** The reason why there is no address, or null. */
    Failure failure;

    /** @param threads for look-ups, which have no timeout of their own */
    HostAddresses(HandshakeRequest request, ExecutorService threads) {
        this.request = request;
        this.threads = threads;
    }

    @Override
    public List<InetAddress> lookup(String urlHost) throws UnknownHostException {
        if (request.deadline().isOver()) {
            throw failed(Failure.of("local-overload", "the deadline passed before a look-up was tried"));
        }
        var lookup = threads.submit(() -> Dns.SYSTEM.lookup(request.host()));
        try {
            return lookup.get(Math.max(0, request.deadline().remainingNanos()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failed(Failure.of(code(e.getCause()), e.getCause()));
        } catch (TimeoutException e) {
            lookup.cancel(true);
            throw failed(Failure.of("name-lookup-failed", "the look-up took longer than the deadline"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(Failure.of("backend-error", e));
        }
    }

    private UnknownHostException failed(Failure failure) {
        this.failure = failure;
        return new UnknownHostException(failure.message());
    }

    /** The JDK passes on what getaddrinfo says, without its code. */
    private static String code(Throwable error) {
        var words = Refusal.words(error).toLowerCase(Locale.ROOT);
        boolean isUnknown =
                words.contains("not known") || words.contains("no address associated") || words.contains("invalid");
        return error instanceof UnknownHostException && isUnknown ? "name-not-found" : "name-lookup-failed";
    }
}
