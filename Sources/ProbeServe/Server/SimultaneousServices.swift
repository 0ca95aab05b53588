import ServiceLifecycle

/// Services that end at the same time.
///
/// A group asks one of its services to end when the one before has ended: a server would take connections until then.
struct SimultaneousServices: Service {
    let services: [any Service]

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for service in services { group.addTask { try await service.run() } }
        }
    }
}
