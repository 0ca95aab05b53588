package probe;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import probe.json.Json;

/** Answers requests, each on a thread of its own. */
final class Program {
    private static final int PROTOCOL = 1;
    private static final int MAXIMUM_REQUESTS = 512;
    /** The time that a decision may take beyond the deadline; a reply half a second late is a hang. */
    private static final Duration GRACE = Duration.ofMillis(200);

    private final Backend backend;
    private final Replies replies;
    private final ThreadPoolExecutor requests =
            new ThreadPoolExecutor(0, MAXIMUM_REQUESTS, 10, TimeUnit.SECONDS, new SynchronousQueue<>());
    /** For what may take longer than the request has time for: it is left behind then. */
    private final ExecutorService helpers = Executors.newCachedThreadPool();

    Program(Backend backend, Replies replies) {
        this.backend = backend;
        this.replies = replies;
    }

    void take(Json.Members members) {
        if (!(members.get("id") instanceof Json.Number id)) {
            System.err.println("a request has no id");
            return;
        }
        try {
            // The time counts from here, and not from when a thread is free.
            var fields = new Fields(members);
            var type = fields.text("type");
            var deadline = fields.has("deadline") ? Deadline.in(fields.duration("deadline")) : null;
            requests.execute(() -> replies.send(reply(id, type, fields, deadline)));
        } catch (BadRequest e) {
            replies.send(error(id, e.getMessage()));
        } catch (RejectedExecutionException e) {
            replies.send(error(id, "more than " + MAXIMUM_REQUESTS + " requests are under way"));
        }
    }

    /** Gives what is under way one second more. */
    void end() {
        requests.shutdown();
        try {
            requests.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Json.Members reply(Json.Number id, String type, Fields fields, Deadline deadline) {
        try {
            return switch (type) {
                case "hello" -> hello(id, fields);
                case "handshake" -> answer(id, type, "report", handshake(fields, required(deadline)));
                case "evaluate-trust" ->
                        answer(id, type, "trust", decide(TrustQuestion.read(fields), required(deadline)).json());
                case "read-key" -> answer(id, type, "key", KeyReading.of(fields.bytes("certificate")));
                default -> error(id, "no request is of the type " + type);
            };
        } catch (BadRequest e) {
            return error(id, e.getMessage());
        } catch (RuntimeException | Error e) {
            // An answer in any case: without one the program would be taken for one that hangs.
            return error(id, "the program failed: " + e);
        }
    }

    private Json.Members hello(Json.Number id, Fields fields) throws BadRequest {
        if (!fields.text("kind").equals("transport")) {
            return error(id, "this program is a transport");
        }
        return Json.object(
                "id", id,
                "type", "hello",
                "protocol", PROTOCOL,
                "kind", "transport",
                "name", backend.name(),
                "library", backend.library(),
                "version", backend.version(),
                "capabilities", backend.capabilities());
    }

    private Json handshake(Fields fields, Deadline deadline) throws BadRequest {
        var request = HandshakeRequest.read(fields, deadline);
        var report = backend.handshake(request, helpers);
        if (!report.chain.isEmpty()) {
            long start = System.nanoTime();
            report.trust =
                    decide(
                            new TrustQuestion(
                                    report.chain,
                                    request.anchors(),
                                    request.name(),
                                    request.instant(),
                                    TrustQuestion.Purpose.SERVER,
                                    null),
                            deadline);
            report.timings.trust = (System.nanoTime() - start) / 1e9;
        }
        return report.json();
    }

    private TrustReading decide(TrustQuestion question, Deadline deadline) {
        Callable<TrustReading> decision = () -> backend.evaluate(question);
        var future = helpers.submit(decision);
        try {
            return future.get(
                    Math.max(0, deadline.remainingNanos()) + GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            return TrustReading.refused(
                    TrustCause.TOO_COMPLEX, "the decision did not end before the deadline", null, null);
        } catch (ExecutionException e) {
            return TrustReading.refused(TrustCause.OTHER, e.getCause().toString(), null, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return TrustReading.refused(TrustCause.OTHER, "the decision was interrupted", null, null);
        }
    }

    private static Deadline required(Deadline deadline) throws BadRequest {
        if (deadline == null) {
            throw new BadRequest("deadline is missing");
        }
        return deadline;
    }

    private static Json.Members answer(Json.Number id, String type, String name, Json value) {
        return Json.object("id", id, "type", type, name, value);
    }

    private static Json.Members error(Json.Number id, String message) {
        return Json.object("id", id, "type", "error", "message", message);
    }
}
