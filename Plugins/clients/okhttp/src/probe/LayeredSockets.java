package probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** JSSE's sockets as OkHttp asks for them, each shown before OkHttp configures it. */
final class LayeredSockets extends SSLSocketFactory {
    private final SSLSocketFactory platform;
    private final Consumer<SSLSocket> observer;

    LayeredSockets(SSLSocketFactory platform, Consumer<SSLSocket> observer) {
        this.platform = platform;
        this.observer = observer;
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        var layered = (SSLSocket) platform.createSocket(socket, host, port, autoClose);
        observer.accept(layered);
        return layered;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return platform.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return platform.getSupportedCipherSuites();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("OkHttp puts TLS on a connection of its own");
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
