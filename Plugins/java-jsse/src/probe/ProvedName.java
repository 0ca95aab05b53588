package probe;

import java.util.Locale;

/** The name a certificate has to prove. */
sealed interface ProvedName {
    /** A DNS name, in lower case. */
    record Dns(String name) implements ProvedName {}

    /** An IP address as text. */
    record Address(String address) implements ProvedName {}

    static ProvedName read(String text) throws BadRequest {
        if (text.startsWith("dns:") && text.length() > 4) {
            return new Dns(text.substring(4).toLowerCase(Locale.ROOT));
        } else if (text.startsWith("ip:") && text.length() > 3) {
            return new Address(text.substring(3));
        }
        throw new BadRequest("name begins with neither dns: nor ip:");
    }

    /** As JSSE has it for the host of a peer. */
    default String peerHost() {
        return this instanceof Dns dns ? dns.name() : ((Address) this).address();
    }
}
