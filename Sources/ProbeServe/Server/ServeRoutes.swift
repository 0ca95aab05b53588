import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ProbeKit

/// The server's addresses, and what is behind each.
struct ServeRoutes: Sendable {
    let settings: ServeSettings
    let current: CurrentConfiguration
    let prober: ModuleProbe
    let board: WatchBoard
    let late: LateTargets
    let clock: ProbeClock
    let history: ProbeHistory
    let own: OwnMetrics
    let slots: ProbeSlots

    private static let timeoutHeader = HTTPField.Name("X-Prometheus-Scrape-Timeout-Seconds")
    /// The longest address of a request, in bytes.
    private static let longest = 8192

    func router() -> Router<ServeContext> {
        let router = Router(context: ServeContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: CountedRequests(own: own))
        if !settings.web.users.isEmpty {
            router.add(middleware: BasicAuthentication(passwords: PasswordCheck(settings.web.users)))
        }
        router.get("/") { _, _ in
            let page = StatusPage(
                plan: current.state.configuration.watch, board: board, history: history.entries, now: clock.now,
                late: late)
            return self.page(page.text)
        }
        router.get("/probe") { request, context in await probed(request, over: context.channel) }
        router.get("/metrics") { request, _ in
            let exposition = Exposition(accept: request.headers[.accept])
            return text(exposition.text(own.metrics(current.state, load: slots.load)), exposition.contentType)
        }
        router.get("/config") { _, _ in text(current.state.configuration.text) }
        router.get("/logs") { request, _ in await answered { () throws(ServeRefusal) in try log(request) } }
        for path in ["/-/healthy", "/-/ready"] { router.get(RouterPath(path)) { _, _ in text("Healthy\n") } }
        router.post("/-/reload") { _, _ in await reload() }
        router.put("/-/reload") { _, _ in await reload() }
        for path in ["/", "/probe", "/metrics", "/config", "/logs", "/-/healthy", "/-/ready"] {
            refuseMethods(except: [.get, .head], at: path, of: router)
        }
        refuseMethods(except: [.post, .put], at: "/-/reload", of: router)
        return router
    }

    /// The methods of RFC 9110 section 9 and RFC 5789 that have a path, but HEAD, whose answer is that to GET.
    private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .options, .trace]

    private func refuseMethods(
        except allowed: [HTTPRequest.Method], at path: String, of router: Router<ServeContext>
    ) {
        let names = allowed.map(\.rawValue)
        var refusal = text("send a \(names.joined(separator: " or a "))\n", status: .methodNotAllowed)
        refusal.headers[.allow] = names.joined(separator: ", ")
        for method in Self.methods where !allowed.contains(method) {
            router.on(RouterPath(path), method: method) { [refusal] _, _ in refusal }
        }
    }

    // MARK: A probe

    /// Answers a request for a probe, which ends with the connection: nobody waits for it then, and others wait for its place.
    private func probed(_ request: Request, over channel: any Channel) async -> Response {
        await ClientPresence.of(channel)?.during {
            await answered { () throws(ServeRefusal) in try await probe(request) }
        } ?? text(ServeRefusal.abandoned)
    }

    private func probe(_ request: Request) async throws(ServeRefusal) -> Response {
        guard request.uri.string.utf8.count <= Self.longest else {
            throw ServeRefusal(.tooLong, "the request's address is longer than \(Self.longest) bytes")
        }
        let parameters = try QueryParameters(request.uri.query)
        let name = parameters["module"] ?? "http_2xx"
        guard let module = current.state.configuration[name] else {
            own.countUnknownModule()
            let shown = InputError.withoutCredentials(name)
            throw ServeRefusal(.badRequest, "the module '\(shown)' is not in the configuration")
        }
        let limit = try ScrapeTimeout.limit(
            header: Self.timeoutHeader.flatMap { request.headers[$0] }, offset: settings.timeoutOffset,
            module: module.timeout)
        if let metrics = watched(parameters, module: name) {
            let exposition = Exposition(accept: request.headers[.accept])
            return text(exposition.text(metrics), exposition.contentType)
        }
        let deadline = Deadline.after(limit)
        let answer = try await slots.run(by: deadline) { () async throws(ServeRefusal) in
            let left = deadline.remaining
            let answer = try await prober.answer(
                ModuleProbe.Question(
                    target: parameters["target"], hostname: parameters["hostname"], timeout: left),
                of: module)
            guard !answer.wouldBlame(afterWaiting: limit - left, of: limit) else { throw slots.refusal }
            // Metrics would blame the target for this machine, and the watch shows none then either.
            if let lateness = answer.lateness {
                throw ServeRefusal(.busy, "this machine could not ask, which is not the target's fault: \(lateness)")
            }
            return answer
        }
        guard !Task.isCancelled else { throw .abandoned }
        own.count(probeOf: name, by: .scrape, passes: answer.isSuccess)
        let log = Self.log(answer, of: module)
        history.add(
            module: name, target: parameters["target"] ?? "", isSuccess: answer.isSuccess, text: log)
        if parameters["debug"] == "true" { return text(log) }
        let exposition = Exposition(accept: request.headers[.accept])
        return text(exposition.text(answer.metrics), exposition.contentType)
    }

    /// Returns the metrics of a watched target's last verdict, while it is fresh and by this configuration; nil asks anew, as
    /// do steps for a person.
    private func watched(_ parameters: QueryParameters, module: String) -> MetricSet? {
        let now = current.state
        let plan = now.configuration.watch
        let item = WatchPlan.Item(
            module: module, target: parameters["target"], hostname: parameters["hostname"])
        guard parameters["debug"] != "true", plan.contains(item),
            let state = board.state(of: item, judgedBy: now)
        else { return nil }
        // A target that was refused has no metrics: whoever asks is refused too.
        guard state.isFresh(at: clock.now, by: plan), !state.metrics.families.isEmpty else { return nil }
        var metrics = state.metrics
        metrics.add(
            "probe_watch_timestamp_seconds", "The time at which the watch asked the target, in Unix time.",
            value: state.checkedAt.timeIntervalSince1970)
        return metrics
    }

    private static func log(_ answer: ProbeAnswer, of module: ServeModule) -> String {
        """
        Logs for the probe:
        \(answer.steps.joined(separator: "\n"))



        Metrics that would have been returned:
        \(Exposition.text.text(answer.metrics))


        Module configuration:
        \(module.text(indent: 0))
        """
    }

    // MARK: The rest

    private func log(_ request: Request) throws(ServeRefusal) -> Response {
        let parameters = try QueryParameters(request.uri.query)
        guard let id = parameters["id"].flatMap({ Int($0) }) else {
            throw ServeRefusal(.badRequest, "the request has no 'id' that is a number")
        }
        guard let entry = history[id] else { throw ServeRefusal(.notFound, "the probe \(id) is no longer kept") }
        return text(entry.text)
    }

    private func reload() async -> Response {
        do throws(InputError) {
            try await current.reload()
            return text("")
        } catch {
            return text("the configuration was not read anew: \(error)\n", status: .internalServerError)
        }
    }

    private func answered(_ body: () async throws(ServeRefusal) -> Response) async -> Response {
        do throws(ServeRefusal) {
            return try await body()
        } catch {
            // The place that a scraper did not wait for was not refused.
            let isAbandoned = error.status == .abandoned || error.status == .busy && Task.isCancelled
            guard !isAbandoned else { return text(.abandoned) }
            own.count(error)
            return text(error)
        }
    }

    private func text(_ refusal: ServeRefusal) -> Response {
        text(
            PrintableText.escape(refusal.message) + "\n",
            status: HTTPResponse.Status(code: refusal.status.rawValue))
    }

    private func page(_ text: String) -> Response {
        self.text(text, "text/html; charset=utf-8")
    }

    private func text(
        _ text: String, _ type: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
    ) -> Response {
        var headers: HTTPFields = [.contentType: type, .xContentTypeOptions: "nosniff"]
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
