import ProbeKit
import ProbePins
import ProbeRun

extension BenchPeer {
    /// Returns a check of the TLS server: both trust decisions, and a pin.
    func check() throws -> Check {
        guard let pin = PinDigest(Array(pin)) else { throw BenchError("the servers have no pin") }
        let target = Target(name: try ServerName(Self.name), connect: Self.endpoint(tlsPort))
        return Check(
            target: target, anchors: anchors, pins: [PinGroup([Pin(kind: .spki, digest: pin)], position: .leaf)])
    }

    /// Runs a whole probe.
    ///
    /// - Throws: ``BenchError`` if it does not pass.
    func probe(_ check: Check, with prober: Prober, through transport: any Transport) async throws {
        let results = await prober.probe(check, through: [transport], resolvers: [])
        guard results.allSatisfy({ $0.verdict.outcome == .pass }) else {
            throw BenchError("\(transport.identity.name) came to \(results.map(\.verdict.outcome)) instead of pass")
        }
    }
}
