package probe;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import probe.json.Json;

/** A public key as Java reads it: its own encoding of the key object, or why there is none. */
final class KeyReading {
    private KeyReading() {}

    static Json of(byte[] certificate) {
        try {
            return Json.object("spki", encoding(Certificates.parse(certificate).getPublicKey()));
        } catch (GeneralSecurityException | RuntimeException e) {
            return Json.object("unreadable", Refusal.words(e));
        }
    }

    /**
     * @throws GeneralSecurityException if nothing in Java makes keys of the algorithm: then the object holds unparsed
     *     bits
     */
    private static byte[] encoding(PublicKey key) throws GeneralSecurityException {
        KeyFactory.getInstance(key.getAlgorithm());
        return key.getEncoded();
    }
}
