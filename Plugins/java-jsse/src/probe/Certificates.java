package probe;

import java.io.ByteArrayInputStream;
import java.security.NoSuchProviderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;

/** Certificates as the provider of the JDK, and no other, reads them. */
final class Certificates {
    static final String PROVIDER = "SUN";

    private Certificates() {}

    static X509Certificate parse(byte[] encoding) throws CertificateException {
        try {
            var certificate =
                    (X509Certificate)
                            factory().generateCertificate(new ByteArrayInputStream(encoding));
            if (!Arrays.equals(certificate.getEncoded(), encoding)) {
                throw new CertificateException("bytes follow the certificate");
            }
            return certificate;
        } catch (RuntimeException | StackOverflowError e) {
            // Reading hostile bytes may end in more than the checked exceptions.
            throw new CertificateException("unreadable certificate: " + e, e);
        }
    }

    static CertificateFactory factory() throws CertificateException {
        try {
            return CertificateFactory.getInstance("X.509", PROVIDER);
        } catch (NoSuchProviderException e) {
            throw new CertificateException(e);
        }
    }

    /** The DER of each, as presented. */
    static List<byte[]> encodings(List<X509Certificate> certificates) {
        return certificates.stream().map(Certificates::encoding).toList();
    }

    static byte[] encoding(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateException e) {
            throw new IllegalStateException("a parsed certificate has an encoding", e);
        }
    }
}
