package probe;

import java.security.cert.CertificateException;
import probe.json.Json;

/** A public key as Java reads it: its own encoding of the key object, or why there is none. */
final class KeyReading {
    private KeyReading() {}

    static Json of(byte[] certificate) {
        try {
            var encoding = Certificates.parse(certificate).getPublicKey().getEncoded();
            return encoding == null
                    ? unreadable("the key has no encoding")
                    : Json.object("spki", encoding);
        } catch (CertificateException | RuntimeException e) {
            return unreadable(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static Json unreadable(String reason) {
        return Json.object("unreadable", reason);
    }
}
