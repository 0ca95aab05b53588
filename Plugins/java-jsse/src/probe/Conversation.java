package probe;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** Carries records between an engine and a socket until the handshake is over, and closes the connection properly. */
final class Conversation {
    /** Records one after the other that do not bring the handshake on. A chain of 512 KiB has 33 full ones. */
    private static final int MAXIMUM_IDLE_RECORDS = 4_096;

    private static final int HEADER_BYTES = 5;

    private final SSLEngine engine;
    private final Socket socket;
    private final Deadline deadline;
    private ByteBuffer inbound;
    private ByteBuffer application;
    private final byte[] firstBytes = new byte[HEADER_BYTES];
    private int received;
    private int idleRecords;
    private boolean hasServerHello;

    Conversation(SSLEngine engine, Socket socket, Deadline deadline) {
        this.engine = engine;
        this.socket = socket;
        this.deadline = deadline;
        inbound = ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).flip();
        application = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    }

    /** True if the handshake came as far as the ServerHello. */
    boolean hasServerHello() {
        return hasServerHello;
    }

    /** True if the peer's first bytes are the head of a TLS record: a type of RFC 8446 section 5.1, and version 3.x. */
    boolean peerSpeaksTLS() {
        return received < HEADER_BYTES || (firstBytes[0] >= 20 && firstBytes[0] <= 24 && firstBytes[1] == 3);
    }

    /**
     * @throws SSLException what JSSE has against the handshake
     * @throws FailureException what happened to the connection
     */
    void handshake() throws SSLException, FailureException {
        try {
            while (!step()) {
                hasServerHello |= engine.getHandshakeSession() != null;
            }
        } catch (SSLException e) {
            sendRest();
            throw e;
        }
    }

    /** Returns whether that was the last one. */
    private boolean step() throws SSLException, FailureException {
        if (deadline.isOver()) {
            throw timeout();
        }
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                idleRecords = 0;
                for (var task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> {
                if (send().getStatus() == SSLEngineResult.Status.CLOSED) {
                    throw new FailureException("connection-closed", "the peer closed during the handshake");
                }
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> receive();
            case FINISHED, NOT_HANDSHAKING -> {
                return true;
            }
        }
        return false;
    }

    private void receive() throws SSLException, FailureException {
        var result = engine.unwrap(inbound, application.clear());
        switch (result.getStatus()) {
            case OK -> {
                if (++idleRecords > MAXIMUM_IDLE_RECORDS) {
                    throw new FailureException(
                            "protocol-error", "the peer sends records without end that bring nothing on");
                }
            }
            case BUFFER_UNDERFLOW -> read();
            case BUFFER_OVERFLOW ->
                    application = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize() * 2);
            case CLOSED -> throw new FailureException("connection-closed", "the peer closed during the handshake");
        }
    }

    private void read() throws FailureException {
        inbound.compact();
        if (!inbound.hasRemaining()) {
            inbound = ByteBuffer.allocate(inbound.capacity() * 2).put(inbound.flip());
        }
        int count;
        try {
            socket.setSoTimeout(deadline.timeoutMillis());
            count = socket.getInputStream().read(inbound.array(), inbound.position(), inbound.remaining());
        } catch (SocketTimeoutException e) {
            throw timeout();
        } catch (IOException e) {
            throw new FailureException("connection-reset", e);
        }
        if (count < 0) {
            throw new FailureException("connection-closed", "the peer closed during the handshake");
        }
        for (int i = 0; i < count && received < HEADER_BYTES; i++) {
            firstBytes[received++] = inbound.get(inbound.position() + i);
        }
        inbound.position(inbound.position() + count).flip();
    }

    /** A client's flights are small, and fit into what the system keeps for a connection: writing does not wait. */
    private SSLEngineResult send() throws SSLException, FailureException {
        var outbound = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        var result = engine.wrap(ByteBuffer.allocate(0), outbound);
        if (outbound.position() > 0) {
            try {
                socket.getOutputStream().write(outbound.array(), 0, outbound.position());
            } catch (IOException e) {
                throw new FailureException("connection-reset", e);
            }
        }
        return result;
    }

    private FailureException timeout() {
        return new FailureException("handshake-timeout", "the deadline passed during the handshake");
    }

    /** Sends {@code close_notify}, and waits for nothing. */
    void close() {
        engine.closeOutbound();
        sendRest();
        try {
            socket.shutdownOutput();
            // Unread bytes, like session tickets, would make the system reset the connection.
            var input = socket.getInputStream();
            input.skip(input.available());
        } catch (IOException e) {
            System.err.println("the peer was gone before the end: " + e);
        }
    }

    /** Sends the engine's remaining output: an alert. If it does not arrive, that changes nothing that was seen. */
    private void sendRest() {
        try {
            while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
                if (send().bytesProduced() == 0) {
                    break;
                }
            }
        } catch (SSLException | FailureException | RuntimeException e) {
            System.err.println("an alert was not sent: " + e);
        }
    }
}
