package probe;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import probe.json.Json;
import probe.json.JsonException;
import probe.json.JsonReader;

/** Reads requests from standard input until it ends. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        serve(new JSSE());
    }

    /** Answers for a backend, and ends the process with the input. */
    static void serve(Backend backend) {
        int status = 1;
        try {
            run(backend);
            status = 0;
        } catch (IOException | RuntimeException e) {
            System.err.println("the program ends: " + e);
        } finally {
            // Not exit: a thread may be in a look-up that nothing ends.
            Runtime.getRuntime().halt(status);
        }
    }

    private static void run(Backend backend) throws IOException {
        // No DNS answer is kept between requests.
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        PresentedCertificates.install();

        var output = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // Any other output must not reach the reader of replies.
        System.setOut(System.err);
        var program = new Program(backend, new Replies(output));
        var lines = new Lines(System.in);
        boolean isAtEnd = false;
        while (!isAtEnd) {
            try {
                var line = lines.next();
                isAtEnd = line == null;
                if (line != null) {
                    take(line, program);
                }
            } catch (CharacterCodingException e) {
                System.err.println("a line is too long, or no UTF-8");
            }
        }
        program.end();
    }

    private static void take(String line, Program program) {
        try {
            if (JsonReader.read(line) instanceof Json.Members members) {
                program.take(members);
            } else {
                System.err.println("a line is not a JSON object");
            }
        } catch (JsonException e) {
            System.err.println("a line is not JSON: " + e.getMessage());
        }
    }
}
