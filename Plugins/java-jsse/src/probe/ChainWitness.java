package probe;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Writes down what the server presents and has nothing against it: trust is decided after the handshake. */
final class ChainWitness extends X509ExtendedTrustManager {
    /** 512 KiB. */
    private static final int MAXIMUM_CHAIN_BYTES = 524_288;

    private final HandshakeReport report;
    private boolean isTooLong;

    ChainWitness(HandshakeReport report) {
        this.report = report;
    }

    boolean isChainTooLong() {
        return isTooLong;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        var encodings = Certificates.encodings(List.of(chain));
        if (encodings.stream().mapToInt(encoding -> encoding.length).sum() > MAXIMUM_CHAIN_BYTES) {
            isTooLong = true;
            throw new CertificateException("the chain has more than " + MAXIMUM_CHAIN_BYTES + " bytes");
        }
        report.chain = encodings;
        report.read(engine.getHandshakeSession(), engine);
        if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            report.ocspStaple =
                    session.getStatusResponses().stream().findFirst().filter(s -> s.length > 0).orElse(null);
        }
        if (chain[0] instanceof OpaqueCertificate leaf) {
            throw new CertificateException("the leaf can't be read: " + leaf.reason());
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("only engines are used");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("only engines are used");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this is not a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("this is not a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this is not a server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
