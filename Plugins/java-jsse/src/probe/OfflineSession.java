package probe;

import java.security.Principal;
import java.security.cert.Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

/** A session without a connection: it knows the host of its peer, which is all a trust manager reads of it. */
record OfflineSession(String peerHost) implements SSLSession {
    @Override
    public String getPeerHost() {
        return peerHost;
    }

    @Override
    public String getProtocol() {
        return "TLSv1.3";
    }

    @Override
    public String getCipherSuite() {
        return "TLS_AES_128_GCM_SHA256";
    }

    @Override
    public int getPeerPort() {
        return -1;
    }

    @Override
    public byte[] getId() {
        return new byte[0];
    }

    @Override
    public SSLSessionContext getSessionContext() {
        return null;
    }

    @Override
    public long getCreationTime() {
        return 0;
    }

    @Override
    public long getLastAccessedTime() {
        return 0;
    }

    @Override
    public void invalidate() {}

    @Override
    public boolean isValid() {
        return false;
    }

    @Override
    public void putValue(String name, Object value) {}

    @Override
    public Object getValue(String name) {
        return null;
    }

    @Override
    public void removeValue(String name) {}

    @Override
    public String[] getValueNames() {
        return new String[0];
    }

    @Override
    public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
        throw new SSLPeerUnverifiedException("there is no connection");
    }

    @Override
    public Certificate[] getLocalCertificates() {
        return null;
    }

    @Override
    public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
        throw new SSLPeerUnverifiedException("there is no connection");
    }

    @Override
    public Principal getLocalPrincipal() {
        return null;
    }

    @Override
    public int getPacketBufferSize() {
        return 0;
    }

    @Override
    public int getApplicationBufferSize() {
        return 0;
    }
}
