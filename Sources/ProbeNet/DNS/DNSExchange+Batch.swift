public import ProbeKit
import ProbePlatform

extension DNSExchange {
    /// The most queries of one socket.
    private static var batchSize: Int { 64 }

    /// Answers queries that differ in their name alone: those of a batch over one socket first, and each that has no usable
    /// answer after that by itself.
    ///
    /// - Parameter atOnce: the most queries that are under way at a time.
    public func resolve(_ queries: [DNSQuery], atOnce: Int) async -> [DNSReport] {
        var reports: [DNSReport] = []
        reports.reserveCapacity(queries.count)
        let size = min(Self.batchSize, max(1, atOnce))
        for start in stride(from: 0, to: queries.count, by: size) {
            let batch = Array(queries[start..<min(start + size, queries.count)])
            reports += await resolve(batch: batch)
        }
        return reports
    }

    private func resolve(batch queries: [DNSQuery]) async -> [DNSReport] {
        let first = await asBatch(queries)
        var reports = first.map { DNSReport(attempts: $0.map { [$0] } ?? []) }
        let open = queries.indices.filter { first[$0].map { !isEnough($0) } ?? true }
        guard !open.isEmpty, !Task.isCancelled else { return reports }
        await withTaskGroup(of: (Int, DNSReport).self) { group in
            for index in open { group.addTask { (index, await resolve(queries[index], after: first[index])) } }
            for await (index, report) in group { reports[index] = report }
        }
        return reports
    }

    /// Goes on with a query after its exchange in a batch.
    ///
    /// A reply that ends a try counts as the first one, so that a server which refuses is asked no more. Silence does not
    /// count: a burst may lose datagrams that the server would have answered. Nor does a reply after which the same try goes
    /// on in another form.
    private func resolve(_ query: DNSQuery, after first: DNSAttempt?) async -> DNSReport {
        guard let first, let server = query.servers.first else { return await resolve(query) }
        let way = Way(query, at: server, over: first.channel, by: query.deadline)
        guard first.received != nil, way.next(after: first) == nil else {
            let rest = await resolve(query)
            return DNSReport(attempts: [first] + rest.attempts)
        }
        return await DNSWalk.over(query.places, query, after: [first]) { await ask($0, query) }
    }

    /// Returns true if an answer needs no other: it is whole, and decides.
    private func isEnough(_ attempt: DNSAttempt) -> Bool {
        if case .settled = DNSConclusion(of: attempt) { return true }
        return false
    }

    /// Returns an attempt for each query at the first server, which are all under way at once; nil where there is none.
    private func asBatch(_ queries: [DNSQuery]) async -> [DNSAttempt?] {
        let none = [DNSAttempt?](repeating: nil, count: queries.count)
        guard let example = queries.first, let server = example.servers.first else { return none }
        let dnssecOK = example.dnssec != .off && example.ednsSize != nil
        let tries = max(1, example.tries) * example.servers.count
        do throws(DNSFailure) {
            var ids: Set<UInt16> = []
            var batch: [DatagramBatch.Query] = []
            for query in queries {
                var id: UInt16
                repeat { id = .random(in: 0...UInt16.max) } while !ids.insert(id).inserted
                batch.append(
                    DatagramBatch.Query(
                        id: id,
                        bytes: try codec.query(name: query.name, id: id, ednsSize: query.ednsSize, dnssecOK: dnssecOK),
                        filter: ReplyFilter(id: id, name: query.name)))
            }
            let exchange = DatagramBatch(
                server: try server.socketAddress(), queries: batch,
                // Those that get no reply are asked again after it.
                patience: min(example.deadline.remaining / (tries + 1), DNSWalk.patience))
            let name = server.description
            return zip(batch, await exchange.run()).map { query, result in
                DNSAttempt(
                    server: name, channel: .udp, ednsSize: example.ednsSize, id: query.id,
                    received: result.collected.reply, dropped: result.collected.dropped,
                    native: result.collected.reply.map(read), failure: result.collected.failure,
                    duration: result.duration)
            }
        } catch {
            return none
        }
    }
}
