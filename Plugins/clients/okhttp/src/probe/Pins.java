package probe;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.CertificatePinner;
import probe.json.Json;
import probe.json.JsonException;
import probe.json.JsonReader;

/** Asks OkHttp's CertificatePinner about pins, a host and a chain, one question a line. */
public final class Pins {
    private Pins() {}

    public static void main(String[] arguments) throws IOException {
        var replies =
                new Replies(new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8));
        var lines = new Lines(System.in);
        while (true) {
            try {
                var line = lines.next();
                if (line == null) {
                    return;
                }
                replies.send(answer(line));
            } catch (CharacterCodingException e) {
                replies.send(error("the line is too long, or is not UTF-8"));
            }
        }
    }

    private static Json.Members answer(String line) {
        try {
            if (JsonReader.read(line) instanceof Json.Members members) {
                return check(new Fields(members));
            }
            return error("the line is not a JSON object");
        } catch (JsonException | BadRequest | CertificateException | RuntimeException e) {
            return error(Refusal.words(e));
        }
    }

    private static Json.Members check(Fields fields) throws BadRequest, CertificateException {
        var pinner = pinner(fields);
        // A call has the host from its URL.
        var host = UrlHost.of(fields.text("host"));
        if (host == null) {
            throw new BadRequest("host is not one that OkHttp makes a URL of");
        }
        var chain = new ArrayList<Certificate>();
        for (var encoding : fields.bytesList("chain")) {
            chain.add(Certificates.parse(encoding));
        }
        try {
            pinner.check(host, chain);
            return Json.object("accepted", true, "message", null);
        } catch (SSLPeerUnverifiedException e) {
            return Json.object("accepted", false, "message", e.getMessage());
        }
    }

    private static CertificatePinner pinner(Fields fields) throws BadRequest {
        var builder = new CertificatePinner.Builder();
        if (!(fields.members().get("pins") instanceof Json.Array entries)) {
            throw new BadRequest("pins is not a list");
        }
        for (var entry : entries.elements()) {
            if (!(entry instanceof Json.Members members)) {
                throw new BadRequest("pins has an entry that is not an object");
            }
            var rule = new Fields(members);
            builder.add(rule.text("pattern"), rule.texts("pins").toArray(new String[0]));
        }
        return builder.build();
    }

    private static Json.Members error(String message) {
        return Json.object("error", message);
    }
}
