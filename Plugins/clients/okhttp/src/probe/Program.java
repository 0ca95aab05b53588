package probe;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import probe.json.Json;

/** OkHttp's answers to requests, each on a thread of its own. It takes the place of java-jsse's class of this name. */
final class Program {
    private static final List<String> CAPABILITIES =
            List.of(
                    "presented-chain",
                    "version-range",
                    "key-reading",
                    "trust-evaluation",
                    "verified-path",
                    "sni",
                    "alpn",
                    "ocsp-staple",
                    "client-certificate-request");

    private static final int MAXIMUM_REQUESTS = 512;
    /** Time for a decision beyond the deadline, well below the half second that makes a reply a hang. */
    private static final Duration GRACE = Duration.ofMillis(200);

    private final Replies replies;
    private final ExecutorService decisions = Executors.newCachedThreadPool();
    private final ThreadPoolExecutor requests =
            new ThreadPoolExecutor(0, MAXIMUM_REQUESTS, 10, TimeUnit.SECONDS, new SynchronousQueue<>());

    Program(Replies replies) {
        this.replies = replies;
    }

    void take(Json.Members members) {
        if (!(members.get("id") instanceof Json.Number id)) {
            System.err.println("a request without an id is left out");
            return;
        }
        try {
            var fields = new Fields(members);
            var type = fields.text("type");
            // Read now: waiting for a thread is part of the request's time.
            var deadline = type.equals("hello") ? null : Deadline.in(fields.duration("deadline"));
            requests.execute(() -> replies.send(answer(type, fields, deadline).with("id", id)));
        } catch (BadRequest e) {
            replies.send(error(e.getMessage()).with("id", id));
        } catch (RejectedExecutionException e) {
            replies.send(error("there are " + MAXIMUM_REQUESTS + " requests under way already").with("id", id));
        }
    }

    /** Called at the end of input. */
    void end() {
        requests.shutdown();
        try {
            requests.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Json.Members answer(String type, Fields fields, Deadline deadline) {
        try {
            return switch (type) {
                case "hello" -> hello(fields);
                case "handshake" -> reply(type, "report", handshake(HandshakeRequest.read(fields, deadline)));
                case "evaluate-trust" ->
                        reply(type, "trust", decide(TrustQuestion.read(fields), deadline).json());
                case "read-key" -> reply(type, "key", KeyReading.of(fields.bytes("certificate")));
                default -> error("unknown type " + type);
            };
        } catch (BadRequest e) {
            return error(e.getMessage());
        } catch (RuntimeException | Error e) {
            // Silence would cost more than this one request.
            return error("the program failed: " + e);
        }
    }

    private static Json.Members hello(Fields fields) throws BadRequest {
        if (!fields.text("kind").equals("transport")) {
            return error("probe-transport-okhttp is a transport only");
        }
        return reply("hello", "protocol", 1)
                .with("kind", "transport")
                .with("name", "okhttp")
                .with("library", "OkHttp on SunJSSE of Java " + Runtime.version())
                .with("version", OkHttpRelease.version())
                .with("capabilities", CAPABILITIES);
    }

    private Json handshake(HandshakeRequest request) {
        var handshake = new OkHttpHandshake(request, decisions);
        handshake.run();
        var report = handshake.report();
        if (!report.chain.isEmpty()) {
            long start = System.nanoTime();
            var question =
                    new TrustQuestion(
                            report.chain,
                            request.anchors(),
                            request.name(),
                            request.instant(),
                            TrustQuestion.Purpose.SERVER,
                            null);
            report.trust = decide(question, request.deadline());
            report.timings.trust = (System.nanoTime() - start) / 1e9;
        }
        return handshake.json();
    }

    /** Leaves a decision behind that does not end in time. */
    private TrustReading decide(TrustQuestion question, Deadline deadline) {
        var decision = decisions.submit(() -> OkHttpTrust.evaluate(question));
        try {
            long time = Math.max(0, deadline.remainingNanos()) + GRACE.toNanos();
            return decision.get(time, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            decision.cancel(true);
            return TrustReading.refused(TrustCause.TOO_COMPLEX, "the decision was not made in time", null, null);
        } catch (ExecutionException e) {
            return TrustReading.refused(TrustCause.OTHER, e.getCause().toString(), null, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return TrustReading.refused(TrustCause.OTHER, "the decision was interrupted", null, null);
        }
    }

    private static Json.Members reply(String type, String name, Object value) {
        return Json.object("id", null, "type", type, name, value);
    }

    private static Json.Members error(String message) {
        return reply("error", "message", message);
    }
}
