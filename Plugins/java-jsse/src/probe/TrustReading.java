package probe;

import java.util.List;
import probe.json.Json;

/** JSSE's decision on a chain. The path is null where the chain is refused. */
record TrustReading(List<TrustProblem> problems, List<byte[]> path) {
    static TrustReading accepted(List<byte[]> path) {
        return new TrustReading(List.of(), path);
    }

    static TrustReading refused(List<TrustProblem> problems) {
        return new TrustReading(List.copyOf(problems), null);
    }

    static TrustReading refused(TrustCause cause, String message, String nativeCode, Integer depth) {
        return refused(List.of(new TrustProblem(cause, message, nativeCode, depth)));
    }

    Json json() {
        return Json.object(
                "accepted", problems.isEmpty(),
                "problems", problems.stream().map(TrustProblem::json).toList(),
                "path", path);
    }
}
