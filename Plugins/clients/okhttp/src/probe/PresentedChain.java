package probe;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;

/** The trust manager of a handshake. It takes any chain that can be read, since trust is decided afterwards. */
final class PresentedChain extends X509ExtendedTrustManager {
    /** 512 KiB. */
    private static final int MAXIMUM_BYTES = 1 << 19;

    private final HandshakeReport report;
    private final Consumer<SSLSocket> observer;
    private boolean isTooLong;

    /** @param observer is shown the socket with its handshake under way */
    PresentedChain(HandshakeReport report, Consumer<SSLSocket> observer) {
        this.report = report;
        this.observer = observer;
    }

    boolean isTooLong() {
        return isTooLong;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        var encodings = Certificates.encodings(List.of(chain));
        isTooLong = encodings.stream().mapToInt(encoding -> encoding.length).sum() > MAXIMUM_BYTES;
        if (isTooLong) {
            throw new CertificateException("the chain has more than " + MAXIMUM_BYTES + " bytes");
        }
        report.chain = encodings;
        observer.accept((SSLSocket) socket);
        if (chain[0] instanceof OpaqueCertificate leaf) {
            throw new CertificateException("the leaf is unreadable: " + leaf.reason());
        }
    }

    private static CertificateException unasked() {
        return new CertificateException("only sockets of a client ask here");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw unasked();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw unasked();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw unasked();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw unasked();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw unasked();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
