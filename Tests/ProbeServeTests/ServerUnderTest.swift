import Foundation
import FoundationNetworking
import ProbeClients
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTrust
import ResolverLDNS
import ResolverUnbound
import Synchronization
import TransportGnuTLS
import TransportOpenSSL

@testable import ProbeServe

/// A server of this process on loopback, with two TLS stacks and two resolvers.
struct ServerUnderTest: Sendable {
    struct Answer: Sendable {
        let status: Int
        let type: String
        let text: String
        /// The methods of `Allow`.
        var allowed: String?

        /// The value of a sample, by its name and labels as they are written.
        subscript(sample: String) -> Double? {
            text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
                .flatMap { Double($0.dropFirst(sample.count + 1)) }
        }
    }

    /// The folder of the configuration, which is in `serve.yml`.
    let folder: String
    /// The URLs that it listens on, in any order.
    let bases: [String]
    private let ending: AsyncStream<Void>.Continuation

    /// The URL of one that listens on one address.
    var base: String { bases[0] }

    /// Asks the server to end.
    func end() { ending.finish() }

    /// Serves a configuration for the length of a closure.
    ///
    /// - Parameters:
    ///   - ends: true to ask the server to end then, and to wait until it does; false cancels it.
    ///   - listeners: the number of addresses that it listens on.
    static func run<Value: Sendable>(
        _ configuration: String, files: [String: String] = [:], rules: TargetRules? = nil, web: String? = nil,
        concurrency: Int = 8, memory: WatchMemory? = nil, patience: ServePatience = ServePatience(),
        ends: Bool = false, listeners: Int = 1,
        transports: [any Transport] = [OpenSSLTransport(), GnuTLSTransport()],
        _ body: @escaping @Sendable (ServerUnderTest) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files.merging(["serve.yml": configuration, "web.yml": web ?? ""], uniquingKeysWith: { $1 })
        {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        let resolvers: [any ProbeKit.Resolver] = [LDNSResolver(), UnboundResolver()]
        let (prober, reference) = (Prober(), ReferenceVerifier())
        let clients = { @Sendable clock in
            ClientRun(prober: Prober(clock: clock), reference: reference, transports: transports, clock: clock)
        }
        let loopback = try TargetRules(blocks: [try AddressBlock("127.0.0.0/8")])
        var settings = ServeSettings(
            addresses: Array(repeating: try ListenAddress("127.0.0.1:0"), count: listeners),
            timeoutOffset: .seconds(0.5), rules: rules ?? loopback, concurrency: concurrency, history: 10,
            version: "1.2.3",
            web: web == nil ? .open : try WebConfiguration.read(folder.appending(path: "web.yml").path),
            memory: memory)
        settings.patience = patience
        let server = try ProbeServer(
            configuration: folder.appending(path: "serve.yml").path, policies: [:], settings: settings,
            backends: ServeBackends(stacks: "lab", prober: prober, clients: clients) { check in
                (check, transports, resolvers)
            } model: { model throws(InputError) in
                // libunbound can't ask without EDNS.
                (model, resolvers.filter { model.missing(from: $0.capabilities).isEmpty })
            })
        let (addresses, listening) = AsyncStream<String>.makeStream()
        let (ending, end) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                defer { listening.finish() }
                try await server.run(signals: false) {
                    listening.yield($0)
                } until: {
                    for await _ in ending {}
                }
                return nil
            }
            var bound: [String] = []
            for await address in addresses {
                bound.append(address)
                if bound.count == listeners { break }
            }
            guard bound.count == listeners else {
                try await group.waitForAll()
                throw URLError(.cannotConnectToHost)
            }
            let value = try await body(ServerUnderTest(folder: folder.path, bases: bound, ending: end))
            guard ends else {
                group.cancelAll()
                return value
            }
            end.finish()
            try await group.waitForAll()
            return value
        }
    }

    /// Returns the answer to a request.
    func ask(_ path: String, method: String = "GET", headers: [String: String] = [:]) async throws -> Answer {
        guard let url = URL(string: base + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 60)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let http = response as? HTTPURLResponse
        return Answer(
            status: http?.statusCode ?? 0, type: http?.value(forHTTPHeaderField: "Content-Type") ?? "",
            text: String(decoding: data, as: UTF8.self), allowed: http?.value(forHTTPHeaderField: "Allow"))
    }

    /// Asks for a probe.
    func probe(_ module: String, _ target: String, _ more: String = "") async throws -> Answer {
        try await ask(
            "/probe?module=\(module)&target=\(target)\(more)",
            headers: ["X-Prometheus-Scrape-Timeout-Seconds": "60.5"])
    }
}
