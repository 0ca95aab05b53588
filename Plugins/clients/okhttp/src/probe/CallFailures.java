package probe;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;

/** The protocol's codes for the exceptions that end a call. */
final class CallFailures {
    private CallFailures() {}

    /** OkHttp puts a sentence of its own around the exception of the system. */
    static Failure connecting(IOException error) {
        var cause = error.getCause() instanceof IOException inner ? inner : error;
        var words = Refusal.words(cause);
        if (cause instanceof SocketTimeoutException || words.contains("timed out")) {
            return Failure.of("connect-timeout", cause);
        } else if (cause instanceof NoRouteToHostException || !(cause instanceof ConnectException)) {
            return Failure.of("network-unreachable", cause);
        } else if (words.contains("refused")) {
            return Failure.of("connection-refused", cause);
        } else if (words.contains("reset")) {
            return Failure.of("connection-reset", cause);
        }
        return Failure.of("network-unreachable", cause);
    }

    /** @param isChainTooLong what is known of the chain that JSSE refused, if it is that */
    static Failure shaking(Exception error, TappedSocket socket, boolean isChainTooLong) {
        var words = Refusal.words(error);
        if (Alerts.isReceived(words)) {
            return new Failure("alert-received", words, error.getClass().getSimpleName(), Alerts.number(words));
        } else if (words.contains("Received close_notify during handshake")) {
            return Failure.of("connection-closed", error);
        } else if (!socket.peerSpeaksTLS()) {
            return Failure.of("not-tls", error);
        } else if (socket.ending != null) {
            return socket.ending;
        } else if (socket.isBroken()) {
            return Failure.of("connection-reset", "the peer was gone before the handshake was complete");
        }
        return Failure.of(isChainTooLong ? "chain-too-long" : "protocol-error", error);
    }
}
