package probe;

import java.math.BigInteger;
import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.Set;

/**
 * The bytes of a certificate that Java can't read.
 *
 * <p>It lets JSSE go on to the end of the Certificate message, so that what was presented can be reported. It has no
 * key and is trusted by nothing.
 */
final class OpaqueCertificate extends X509Certificate {
    private static final long serialVersionUID = 1;

    private final byte[] encoding;
    private final String reason;

    OpaqueCertificate(byte[] encoding, String reason) {
        this.encoding = encoding.clone();
        this.reason = reason;
    }

    String reason() {
        return reason;
    }

    private IllegalStateException unread() {
        return new IllegalStateException("unreadable certificate: " + reason);
    }

    @Override
    public byte[] getEncoded() {
        return encoding.clone();
    }

    @Override
    public String toString() {
        return "unreadable certificate: " + reason;
    }

    @Override
    public void checkValidity() {
        throw unread();
    }

    @Override
    public void checkValidity(Date date) {
        throw unread();
    }

    @Override
    public int getVersion() {
        throw unread();
    }

    @Override
    public BigInteger getSerialNumber() {
        throw unread();
    }

    // The two that the class wants although they are deprecated.
    @Override
    @SuppressWarnings("deprecation")
    public Principal getIssuerDN() {
        throw unread();
    }

    @Override
    @SuppressWarnings("deprecation")
    public Principal getSubjectDN() {
        throw unread();
    }

    @Override
    public Date getNotBefore() {
        throw unread();
    }

    @Override
    public Date getNotAfter() {
        throw unread();
    }

    @Override
    public byte[] getTBSCertificate() throws CertificateEncodingException {
        throw new CertificateEncodingException(reason);
    }

    @Override
    public byte[] getSignature() {
        throw unread();
    }

    @Override
    public String getSigAlgName() {
        throw unread();
    }

    @Override
    public String getSigAlgOID() {
        throw unread();
    }

    @Override
    public byte[] getSigAlgParams() {
        throw unread();
    }

    @Override
    public boolean[] getIssuerUniqueID() {
        throw unread();
    }

    @Override
    public boolean[] getSubjectUniqueID() {
        throw unread();
    }

    @Override
    public boolean[] getKeyUsage() {
        throw unread();
    }

    @Override
    public int getBasicConstraints() {
        throw unread();
    }

    @Override
    public void verify(PublicKey key) throws CertificateException {
        throw new CertificateException(reason);
    }

    @Override
    public void verify(PublicKey key, String provider) throws CertificateException {
        throw new CertificateException(reason);
    }

    @Override
    public PublicKey getPublicKey() {
        throw unread();
    }

    @Override
    public boolean hasUnsupportedCriticalExtension() {
        throw unread();
    }

    @Override
    public Set<String> getCriticalExtensionOIDs() {
        throw unread();
    }

    @Override
    public Set<String> getNonCriticalExtensionOIDs() {
        throw unread();
    }

    @Override
    public byte[] getExtensionValue(String oid) {
        throw unread();
    }
}
