package probe;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Certificates that are trusted. Parsed ones are kept by their digest, for parsing depends on nothing else. */
record Anchors(List<X509Certificate> certificates) {
    private static final int KEPT = 8;

    private static final Map<String, Anchors> KEPT_BY_DIGEST =
            new LinkedHashMap<>(KEPT, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Anchors> eldest) {
                    return size() > KEPT;
                }
            };

    static Anchors read(Fields fields) throws BadRequest {
        var digest = fields.text("sha256");
        synchronized (KEPT_BY_DIGEST) {
            var kept = KEPT_BY_DIGEST.get(digest);
            if (kept != null) {
                return kept;
            }
        }
        var anchors = parse(fields.bytesList("certificates"));
        synchronized (KEPT_BY_DIGEST) {
            KEPT_BY_DIGEST.put(digest, anchors);
        }
        return anchors;
    }

    /** An anchor that Java can't read is one it can't trust: the others stay. */
    private static Anchors parse(List<byte[]> encodings) {
        var certificates = new ArrayList<X509Certificate>(encodings.size());
        for (var encoding : encodings) {
            try {
                certificates.add(Certificates.parse(encoding));
            } catch (CertificateException e) {
                System.err.println("an anchor is left out: " + e.getMessage());
            }
        }
        return new Anchors(List.copyOf(certificates));
    }
}
