package probe;

import java.time.Instant;
import java.util.List;

/**
 * A chain to decide on.
 *
 * @param chain the leaf first
 * @param name null asks about the chain alone
 * @param maxDepth the most intermediates, or null
 */
record TrustQuestion(
        List<byte[]> chain, Anchors anchors, ProvedName name, Instant instant, Purpose purpose, Integer maxDepth) {
    enum Purpose {
        SERVER,
        CLIENT,
        ANY
    }

    /** The stapled response is not read: JSSE looks at none while revocation checking is off, as it is by default. */
    static TrustQuestion read(Fields fields) throws BadRequest {
        var purpose =
                switch (fields.text("purpose")) {
                    case "server" -> Purpose.SERVER;
                    case "client" -> Purpose.CLIENT;
                    case "any" -> Purpose.ANY;
                    default -> throw new BadRequest("purpose is not server, client or any");
                };
        return new TrustQuestion(
                fields.bytesList("chain"),
                Anchors.read(fields.object("anchors")),
                fields.has("name") ? ProvedName.read(fields.text("name")) : null,
                fields.instant("instant"),
                purpose,
                fields.has("maxDepth") ? fields.integer("maxDepth", 0) : null);
    }
}
