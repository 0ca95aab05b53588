package probe;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** OkHttp on the TLS library of the JDK, as a program. */
public final class OkHttp implements Backend {
    public static void main(String[] arguments) {
        Main.serve(new OkHttp());
    }

    @Override
    public String name() {
        return "okhttp";
    }

    @Override
    public String library() {
        return "OkHttp on SunJSSE of Java " + Runtime.version();
    }

    @Override
    public String version() {
        return OkHttpRelease.version();
    }

    @Override
    public List<String> capabilities() {
        return new JSSE().capabilities();
    }

    @Override
    public HandshakeReport handshake(HandshakeRequest request, ExecutorService helpers) {
        return new OkHttpHandshake(request, helpers).run();
    }

    @Override
    public TrustReading evaluate(TrustQuestion question) throws GeneralSecurityException {
        return OkHttpTrust.evaluate(question);
    }
}
