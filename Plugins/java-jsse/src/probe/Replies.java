package probe;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import probe.json.Json;

/** Writes replies, one whole line at a time, whichever thread they come from. */
final class Replies {
    private final PrintStream output;

    Replies(PrintStream output) {
        this.output = output;
    }

    void send(Json.Members reply) {
        var line = (reply.line() + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (output) {
            output.write(line, 0, line.length);
            output.flush();
        }
    }
}
