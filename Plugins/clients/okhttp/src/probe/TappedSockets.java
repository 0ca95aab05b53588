package probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import javax.net.SocketFactory;

/** The sockets that OkHttp dials with. It may try one address after the other, but makes one handshake only. */
final class TappedSockets extends SocketFactory {
    private final Deadline deadline;
    private TappedSocket last;

    TappedSockets(Deadline deadline) {
        this.deadline = deadline;
    }

    /** The socket that was connected, or null. */
    TappedSocket connected() {
        return last != null && last.isConnected() ? last : null;
    }

    @Override
    public Socket createSocket() throws IOException {
        if (connected() != null) {
            throw new SocketException("there was a connection already");
        }
        last = new TappedSocket(deadline);
        return last;
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("OkHttp connects sockets itself");
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw unused();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw unused();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw unused();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw unused();
    }
}
