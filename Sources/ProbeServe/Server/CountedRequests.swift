import HTTPTypes
import Hummingbird

/// Counts each request with its path, its status and the time until its answer was there.
struct CountedRequests<Context: RequestContext>: RouterMiddleware {
    let own: OwnMetrics

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            count(context, response.status, since: start)
            return response
        } catch {
            count(context, (error as? any HTTPResponseError)?.status ?? .internalServerError, since: start)
            throw error
        }
    }

    /// A path that is not one of ours could be anything: it has no label of its own.
    private func count(_ context: Context, _ status: HTTPResponse.Status, since start: ContinuousClock.Instant) {
        // Nobody was answered.
        guard status.code != ServeRefusal.abandoned.status.rawValue else { return }
        own.count(
            requestTo: context.endpointPath.flatMap { $0.first == "/" ? $0 : nil }, status: status,
            took: start.duration(to: .now))
    }
}
