package probe;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/**
 * An engine without a connection, which gives JSSE's trust manager the two things it asks an engine for: the session of
 * the handshake and the way to identify the peer.
 */
final class OfflineEngine extends SSLEngine {
    private final SSLSession session;
    private final SSLParameters parameters;

    /** With no name, the peer is not identified, and the chain alone decides. */
    OfflineEngine(ProvedName name) {
        session = new OfflineSession(name == null ? null : name.peerHost());
        parameters = new SSLParameters();
        if (name != null) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
    }

    @Override
    public SSLSession getHandshakeSession() {
        return session;
    }

    @Override
    public SSLSession getSession() {
        return session;
    }

    @Override
    public SSLParameters getSSLParameters() {
        return parameters;
    }

    private static UnsupportedOperationException unconnected() {
        return new UnsupportedOperationException("there is no connection");
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination) {
        throw unconnected();
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length) {
        throw unconnected();
    }

    @Override
    public Runnable getDelegatedTask() {
        return null;
    }

    @Override
    public void closeInbound() {}

    @Override
    public boolean isInboundDone() {
        return true;
    }

    @Override
    public void closeOutbound() {}

    @Override
    public boolean isOutboundDone() {
        return true;
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return new String[0];
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return new String[0];
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        throw unconnected();
    }

    @Override
    public String[] getSupportedProtocols() {
        return new String[0];
    }

    @Override
    public String[] getEnabledProtocols() {
        return new String[0];
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        throw unconnected();
    }

    @Override
    public void beginHandshake() {
        throw unconnected();
    }

    @Override
    public SSLEngineResult.HandshakeStatus getHandshakeStatus() {
        return SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public void setUseClientMode(boolean mode) {}

    @Override
    public boolean getUseClientMode() {
        return true;
    }

    @Override
    public void setNeedClientAuth(boolean need) {}

    @Override
    public boolean getNeedClientAuth() {
        return false;
    }

    @Override
    public void setWantClientAuth(boolean want) {}

    @Override
    public boolean getWantClientAuth() {
        return false;
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {}

    @Override
    public boolean getEnableSessionCreation() {
        return false;
    }
}
