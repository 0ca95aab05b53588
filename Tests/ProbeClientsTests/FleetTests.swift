import Foundation
import ProbeKit
import ProbeRun
import Testing

@testable import ProbeClients

/// A fleet's verdict, made from those of its clients.
@Suite struct FleetTests {
    private static func result(_ outcome: Outcome, code: String? = nil) -> ClientResult {
        let client = Client(name: "a", family: "a", released: "2020-01-01", library: "a")
        let findings: [Finding] =
            switch outcome {
            case .pass: []
            case .passWithWarnings: [.warning("a", stage: .trust, "it is doubtful", fix: "mend it")]
            default: [.error(outcome, code: code, stage: .trust, "it failed", fix: "mend it")]
            }
        return ClientResult(
            client: client, isEmulated: true,
            result: ProbeResult(
                subject: "a.test:443", evidence: Evidence(connection: nil, model: nil), verdict: Verdict(findings)))
    }

    private static func reading(_ members: [(Double, Outcome)], minimum: Double?) -> FleetReading {
        let results = members.map { result($0.1) }
        let fleet = Fleet(
            members: zip(members, results).map { Fleet.Member(client: $1.client, share: $0.0) }, minimum: minimum)
        return FleetReading(fleet, results)
    }

    @Test(
        "too few who connect are lost; where unknown ones decide, nothing is known",
        arguments: [
            ([(98.7, .pass), (1.3, .trustFailed)], 98.7, .pass),
            ([(98.7, .pass), (1.3, .trustFailed)], 98.8, .clientsLost),
            ([(98.7, .pass), (1.3, .handshakeFailed)], 99, .clientsLost),
            ([(98.7, .passWithWarnings), (1.3, .unsupported)], 99, .unsupported),
            ([(90, .pass), (5, .unsupported), (5, .trustFailed)], 96, .clientsLost),
            ([(90, .pass), (5, .unsupported), (5, .trustFailed)], 95, .unsupported),
            ([(50, .unreachable), (50, .unreachable)], 50, .unreachable),
            ([(50, .unreachable), (50, .unreachable)], nil, .unreachable),
            ([(50, .pass), (50, .trustFailed)], nil, .pass),
            // Shares are of those that are listed.
            ([(9, .pass), (1, .trustFailed)], 90, .pass), ([(0.1, .pass), (0.2, .pass)], 100, .pass),
        ] as [([(Double, Outcome)], Double?, Outcome)])
    func outcomes(members: [(Double, Outcome)], minimum: Double?, outcome: Outcome) {
        let reading = Self.reading(members, minimum: minimum)
        #expect(reading.outcome == outcome)
        #expect(abs(reading.connecting + reading.refusing + reading.undecided - 100) < 1e-6)
    }

    @Test(
        "a percentage is never rounded up to all or down to none",
        arguments: [
            (98.7, "98.7"), (0.8, "0.8"), (100, "100"), (99.999, "99.999"), (0.001, "0.01"), (0, "0"), (12.34, "12.34"),
            (5.05, "5.05"), (40, "40"), (99.49647532, "99.49"), (66.666, "66.66"), (99.999997, "99.99999"),
            (99.9999999, "100"), (98.699999999, "98.7"), (100.6, "100.6"),
        ])
    func shares(share: Double, text: String) {
        #expect(FleetShare.text(share) == text)
    }

    @Test(
        "a share below the minimum does not read as the minimum",
        arguments: [(98.8, 0.5, 99.5), (99.9949, 0.0051, 99.995), (99.9989, 0.0011, 99.999), (66.6651, 33.3349, 66.67)])
    func nearMinimum(connecting: Double, refusing: Double, minimum: Double) throws {
        let reading = Self.reading([(connecting, .pass), (refusing, .trustFailed)], minimum: minimum)
        #expect(reading.outcome == .clientsLost)
        let share = try #require(Double(FleetShare.text(reading.connecting)))
        let least = try #require(Double(FleetShare.text(minimum)))
        #expect(share < least && least == minimum, "\(share) of \(least)")
    }

    @Test(
        "what a fleet can't mean is refused where it stands",
        arguments: [
            ("fleet: 1\nclients: {android-7.9: 5}", "did you mean 'android-7."),
            ("fleet: 1\nclients: {}", "lists no client"),
            ("fleet: 1\nclients: {android-7.0: many}", "write a percentage"),
            ("fleet: 1\nclients: {android-7.0: 80, ios-12: 40}", "adds up to 120 %"),
            ("clients: {android-7.0: 80}", "lacks 'fleet'"), ("fleet: 2\nclients: {android-7.0: 80}", "from 1 to 1"),
            ("fleet: 1\nclients: {android-7.0: 8}\nminimum: all", "write a percentage"),
            ("fleet: 1\nclients: {android-7.0: 8}\nclientFiles: [none.yaml]", "can't be read"),
        ])
    func refused(text: String, words: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID()).yaml").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let catalogue = try ClientCatalogue.shipped()
        let error = #expect(throws: InputError.self) { try FleetFile.read(path, catalogue) }
        #expect(error.map { "\($0.message) \($0.remedy)".contains(words) } ?? false, "\(String(describing: error))")
    }
}
