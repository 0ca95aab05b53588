import Dispatch
import ProbeKit
import ProbeNet

/// One try at one server, in a context of its own: libunbound keeps even failures in its caches.
///
/// libunbound does the exchange on a thread of its own and signals a descriptor when it is done. All calls into it are
/// made on one serial queue; none of them waits for the network.
///
/// `@unchecked Sendable`: every variable is touched on `queue` alone, which is serial.
final class UnboundLookup: @unchecked Sendable {
    private static let queue = DispatchQueue(label: "probe.libunbound")

    private let settings: UnboundSettings
    private let deadline: Deadline
    private var context: UnboundContext?
    private var query: CInt?
    private var isReadable: (any DispatchSourceRead)?
    private var alarm: (any DispatchSourceTimer)?
    private var outcome: Result<UnboundAnswer, DNSFailure>?
    private var continuation: CheckedContinuation<Result<UnboundAnswer, DNSFailure>, Never>?

    init(_ settings: UnboundSettings, until deadline: Deadline) {
        self.settings = settings
        self.deadline = deadline
    }

    /// Asks, and returns when the answer is there, at the deadline, or when the task is cancelled. Then the context, its
    /// thread and its descriptors are gone.
    func run() async -> Result<UnboundAnswer, DNSFailure> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Self.queue.async {
                    self.continuation = continuation
                    self.start()
                }
            }
        } onCancel: {
            Self.queue.async { self.finish(.failure(.cancelled)) }
        }
    }

    private func start() {
        guard outcome == nil else { return conclude() }
        do throws(UnboundError) {
            let context = try UnboundContext()
            try context.configure(settings)
            let descriptor = try context.descriptor()
            query = try context.start(settings)
            self.context = context
            listen(on: descriptor)
        } catch {
            finish(.failure(DNSFailure(.backendError, "nothing was asked: \(error)")))
        }
    }

    private func listen(on descriptor: CInt) {
        let alarm = DispatchSource.makeTimerSource(queue: Self.queue)
        alarm.setEventHandler { self.finish(.failure(.late)) }
        alarm.schedule(deadline: .now() + .nanoseconds(Int(deadline.remaining / .nanoseconds(1))))
        self.alarm = alarm
        let isReadable = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        isReadable.setEventHandler { self.process() }
        // The descriptor is the context's, and has to be open until the source has released it.
        isReadable.setCancelHandler {
            self.context = nil
            self.conclude()
        }
        self.isReadable = isReadable
        alarm.resume()
        isReadable.resume()
    }

    private func process() {
        guard outcome == nil, let context else { return }
        do throws(UnboundError) {
            guard let answer = try context.process() else { return }
            query = nil
            finish(.success(answer))
        } catch {
            finish(.failure(DNSFailure(.backendError, "\(error)")))
        }
    }

    /// Settles the outcome; the first one counts.
    private func finish(_ outcome: Result<UnboundAnswer, DNSFailure>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        if let query { context?.cancel(query) }
        alarm?.cancel()
        guard let isReadable else { return conclude() }
        isReadable.cancel()
    }

    private func conclude() {
        guard let outcome, let continuation else { return }
        self.continuation = nil
        alarm = nil
        isReadable = nil
        continuation.resume(returning: outcome)
    }
}
