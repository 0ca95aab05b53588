package probe;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A handshake to make.
 *
 * @param protocols the TLS versions to offer, by JSSE's names
 * @param alpn the application protocols to offer, the most wanted first
 */
record HandshakeRequest(
        String host,
        int port,
        ProvedName name,
        List<String> protocols,
        List<String> alpn,
        Anchors anchors,
        Instant instant,
        Deadline deadline) {
    private static final List<String> VERSIONS = List.of("1.0", "1.1", "1.2", "1.3");
    private static final List<String> PROTOCOLS = List.of("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");
    private static final int MAXIMUM_PORT = 65_535;

    static HandshakeRequest read(Fields fields, Deadline deadline) throws BadRequest {
        int port = fields.integer("port", 1);
        if (port > MAXIMUM_PORT) {
            throw new BadRequest("port is larger than any");
        }
        var alpn = new ArrayList<String>();
        for (var protocol : fields.texts("alpn")) {
            if (protocol.isEmpty() || protocol.length() > 255) {
                throw new BadRequest("alpn has a protocol that is empty or too long");
            }
            alpn.add(protocol);
        }
        return new HandshakeRequest(
                fields.text("host"),
                port,
                ProvedName.read(fields.text("name")),
                protocols(fields.texts("versions")),
                List.copyOf(alpn),
                Anchors.read(fields.object("anchors")),
                fields.instant("instant"),
                deadline);
    }

    private static List<String> protocols(List<String> range) throws BadRequest {
        int first = range.size() == 2 ? VERSIONS.indexOf(range.get(0)) : -1;
        int last = range.size() == 2 ? VERSIONS.indexOf(range.get(1)) : -1;
        if (first < 0 || last < first) {
            throw new BadRequest("versions is not a range of TLS versions");
        }
        return PROTOCOLS.subList(first, last + 1);
    }
}
