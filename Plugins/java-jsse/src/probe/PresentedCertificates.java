package probe;

import java.io.IOException;
import java.io.InputStream;
import java.security.Provider;
import java.security.Security;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactorySpi;
import java.util.Collection;
import java.util.List;

/**
 * The factory JSSE gets its certificates from, in front of the JDK's.
 *
 * <p>JSSE stops at the first certificate it can't read, and does not report the chain. Here such a certificate
 * comes out as {@link OpaqueCertificate}; every other is the JDK's own object.
 */
public final class PresentedCertificates extends CertificateFactorySpi {
    /** For the provider, which makes one for every message. */
    public PresentedCertificates() {}

    static void install() {
        Security.insertProviderAt(new PresentedProvider(), 1);
    }

    private static final class PresentedProvider extends Provider {
        private static final long serialVersionUID = 1;

        PresentedProvider() {
            super("ProbePresented", "1", "certificates as they were presented");
            put("CertificateFactory.X.509", PresentedCertificates.class.getName());
        }
    }

    @Override
    public Certificate engineGenerateCertificate(InputStream stream) throws CertificateException {
        byte[] encoding;
        try {
            encoding = stream.readAllBytes();
        } catch (IOException e) {
            throw new CertificateException(e);
        }
        try {
            return Certificates.parse(encoding);
        } catch (CertificateException e) {
            return new OpaqueCertificate(encoding, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public CertPath engineGenerateCertPath(List<? extends Certificate> certificates) throws CertificateException {
        return Certificates.factory().generateCertPath(certificates);
    }

    @Override
    public Collection<? extends Certificate> engineGenerateCertificates(InputStream stream)
            throws CertificateException {
        return Certificates.factory().generateCertificates(stream);
    }

    @Override
    public CRL engineGenerateCRL(InputStream stream) throws CRLException {
        throw new CRLException("no revocation lists are read");
    }

    @Override
    public Collection<? extends CRL> engineGenerateCRLs(InputStream stream) throws CRLException {
        throw new CRLException("no revocation lists are read");
    }
}
