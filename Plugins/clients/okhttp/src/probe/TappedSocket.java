package probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;

/** The TCP connection of a call, which keeps the deadline and the limits, and remembers how the peer ended. */
final class TappedSocket extends Socket {
    /** The most that a peer may send before a handshake is complete: 1 MiB. */
    private static final int MAXIMUM_BYTES = 1 << 20;

    private final Deadline deadline;
    private InputStream input;
    private OutputStream output;
    private Runnable beforeReading = () -> {};
    private boolean isFinished;
    private boolean isBroken;

    /** The end of the connection, or null while there is none. */
    Failure ending;
    /** The first bytes of the peer, as far as they came. */
    private final byte[] head = new byte[5];
    private int received;

    TappedSocket(Deadline deadline) {
        this.deadline = deadline;
    }

    void beforeReading(Runnable action) {
        beforeReading = action;
    }

    /** True if the peer was gone when something was written. */
    boolean isBroken() {
        return isBroken;
    }

    /** Reads nothing more: closing a connection must not wait for the peer. */
    void finish() {
        isFinished = true;
    }

    /** True unless the first bytes are not the head of a TLS record, a type from RFC 8446 section 5.1 and version 3. */
    boolean peerSpeaksTLS() {
        return received < head.length || (head[0] >= 20 && head[0] <= 24 && head[1] == 3);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
        if (deadline.isOver()) {
            throw new SocketTimeoutException("the deadline passed before a connection was tried");
        }
        setTcpNoDelay(true);
        super.connect(endpoint, deadline.timeoutMillis());
        input = super.getInputStream();
        output = super.getOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return new Tap();
    }

    @Override
    public OutputStream getOutputStream() {
        return new Sink();
    }

    @Override
    public synchronized void close() throws IOException {
        isFinished = true;
        if (!isClosed() && isConnected()) {
            try {
                // Unread bytes would make the system reset the connection, and the peer lose our close_notify.
                if (!isOutputShutdown()) {
                    shutdownOutput();
                }
                input.skip(Math.min(input.available(), MAXIMUM_BYTES));
            } catch (IOException e) {
                System.err.println("the peer was gone before the end: " + e);
            }
        }
        super.close();
    }

    private final class Tap extends InputStream {
        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (isFinished) {
                return -1;
            }
            beforeReading.run();
            if (received >= MAXIMUM_BYTES) {
                throw end("protocol-error", "the peer sent 1 MiB and the handshake is not complete");
            }
            try {
                if (deadline.isOver()) {
                    throw new SocketTimeoutException();
                }
                setSoTimeout(deadline.timeoutMillis());
                int count = input.read(bytes, offset, Math.min(length, MAXIMUM_BYTES - received));
                if (count < 0) {
                    end("connection-closed", "the peer closed during the handshake");
                    return count;
                }
                for (int i = 0; i < count && received + i < head.length; i++) {
                    head[received + i] = bytes[offset + i];
                }
                received += count;
                return count;
            } catch (SocketTimeoutException e) {
                throw end("handshake-timeout", "the deadline passed during the handshake");
            } catch (IOException e) {
                end("connection-reset", Refusal.words(e));
                throw e;
            }
        }

        @Override
        public int available() throws IOException {
            return isFinished || received >= MAXIMUM_BYTES ? 0 : input.available();
        }

        private IOException end(String code, String message) {
            if (ending == null) {
                ending = Failure.of(code, message);
            }
            return new IOException(message);
        }
    }

    /** Fails no write: a peer that refused and left has its alert still to be read. */
    private final class Sink extends OutputStream {
        @Override
        public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                output.write(bytes, offset, length);
            } catch (IOException e) {
                isBroken = true;
            }
        }
    }
}
