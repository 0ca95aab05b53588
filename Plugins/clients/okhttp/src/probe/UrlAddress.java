package probe;

import java.net.InetAddress;

/** An address and a port as in a URL, which OkHttp writes by RFC 5952. */
final class UrlAddress {
    private UrlAddress() {}

    static String of(InetAddress address, int port) {
        var host = UrlHost.of(address.getHostAddress().replaceFirst("%.*", ""));
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
