import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeSignatures
import ProbeTestSupport
import ProbeTrust

/// Random profiles, the same for the same seed.
struct RandomProfile {
    private var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(state: seed) }

    /// Returns a profile with something of everything.
    static func make(seed: UInt64) throws -> Profile {
        var random = RandomProfile(seed: seed)
        return try random.profile()
    }

    private mutating func profile() throws -> Profile {
        let names = [
            "example.com", "api.example.com", "deep.api.example.com", "other.test", "xn--bcher-kva.test", "192.0.2.1",
        ]
        var hosts: [HostRule] = []
        for name in names where chance(2) {
            let semantics = element(HostSemantics.allCases)
            let isName = name.contains { $0.isLetter }
            let prefix = semantics == .okhttp && isName ? element(["", "*.", "**."]) : ""
            let subdomains = isName && ![.exact, .okhttp].contains(semantics) && chance(2)
            let sets = chance(8) ? [] : self.sets()
            hosts.append(
                try HostRule(pattern: prefix + name, semantics: semantics, includesSubdomains: subdomains, pins: sets))
        }
        return Profile(
            name: chance(2) ? element(["App", "null", "an app: \"quoted\" # no comment", "ümlaut\ttab", "1.2"]) : nil,
            unlistedHost: element(UnlistedHost.allCases), defaults: demands(), pins: chance(3) ? sets() : [],
            hosts: hosts,
            environments: try environments(), models: try models(), signers: signers())
    }

    // MARK: Pins

    private mutating func sets() -> [PinSet] { (0..<Int.random(in: 1...3, using: &generator)).map { _ in set() } }

    private mutating func set() -> PinSet {
        let members = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            PinSet.Member(
                Pins.pin(UInt8.random(in: 0...40, using: &generator), element([.spki, .spki, .spki, .cert, .rawkey])),
                isBackup: chance(5), expires: chance(5) ? instant() : nil,
                note: chance(5) ? element(["leaf", "yes"]) : nil)
        }
        return PinSet(
            members, position: element([.leaf, .ca, .any, .any, .first(3)]), chain: chance(5) ? .presented : .validated,
            window: chance(5) ? window() : nil,
            expiry: chance(4) ? PinGroup.Expiry(last: instant(), afterwards: element([.fail, .ignore])) : nil,
            isEnforced: !chance(6))
    }

    private mutating func window() -> TransitionWindow {
        let start = instant()
        return TransitionWindow(
            start: start, end: start.addingTimeInterval(Double(Int.random(in: 0...4_000_000, using: &generator))),
            fallback: element([.alternate, .system]), maximumSkew: element([300, 0, 86_400]),
            onMissingDate: element([.strict, .lenient]))
    }

    /// Often at an end of a day, where dates are written short.
    private mutating func instant() -> Date {
        let day = Double(Int.random(in: 20_000...30_000, using: &generator)) * 86_400
        return Date(timeIntervalSince1970: day + element([0, -1, 43_210]))
    }

    // MARK: The rest of the profile

    private mutating func demands() -> ConnectionDemands {
        guard chance(3) else { return ConnectionDemands() }
        return ConnectionDemands(
            anchors: element([nil, .system, .files(["ca.pem"])]), trust: element([nil, .both, .native, .reference]),
            minimumTLS: element([nil, .tls12, .tls13]), alpn: element([nil, ["h2", "http/1.1"], []]),
            policies: element([nil, ["ats"]]), serverDate: element([nil, .always, .never]),
            expiresWithin: element([nil, .seconds(21 * 86_400), .seconds(90)]))
    }

    private mutating func environments() throws -> [ProfileEnvironment] {
        var environments: [ProfileEnvironment] = []
        for name in [nil, "alpha", "beta"] as [String?] where chance(3) {
            var services: [Service] = []
            for (service, port) in [("api", 443), ("janus", 8989), ("socket", 8443)] where chance(2) {
                services.append(
                    Service(
                        name: service,
                        target: Target(
                            name: try ServerName(element(["example.com", "service.test", "2001:db8::1"])),
                            port: UInt16(port), connect: chance(4) ? try Endpoint("127.0.0.1:\(port)") : nil),
                        alternates: chance(4) ? [try Target("spare.test:444")] : [], pins: chance(2) ? sets() : [],
                        certificates: chance(5) ? ["a file.pem"] : [], emulation: chance(5) ? .ecall : nil,
                        demands: demands()))
            }
            environments.append(
                ProfileEnvironment(
                    name: name, pinning: name == nil ? .enforce : element([.enforce, .enforce, .report, .off]),
                    demands: name == nil ? ConnectionDemands() : demands(), services: services))
        }
        return environments
    }

    private mutating func models() throws -> [ModelRule] {
        guard chance(3) else { return [] }
        let row = ModelRegistryRow(
            name: try ModelName("dc"), from: instant(), until: chance(2) ? instant() : nil, version: "1.10")
        let pinned = chance(3)
        return [
            ModelRule(
                model: try ModelName("florida"), hosts: [try DNSName("models.test"), try DNSName("spare.test")],
                servers: pinned ? ["tls://dns.test"] : chance(2) ? ["127.0.0.1:53"] : [],
                serverPins: pinned ? [PinDigest.sha256(of: [1]), PinDigest.sha256(of: [2])] : [],
                dnssec: element([.off, .prefer, .require]),
                dnssecAnchors: chance(2) ? [". IN DS 20326 8 2 " + String(repeating: "0F", count: 32)] : [],
                strings: element([.joined, .separate]),
                absence: element([.transient, .terminal]), cacheSeconds: element([3600, 0]),
                registry: chance(2) ? [row] : [])
        ]
    }

    private mutating func signers() -> [SignerRecord] {
        guard chance(3) else { return [] }
        return [
            SignerRecord(
                name: "root", certificate: chance(2) ? KnownRoot.digiCert.pem : "root.pem", commonName: ".example.nl",
                authorityKeyIdentifier: "00ff", subjectKeyIdentifier: chance(2) ? "0414AB" : nil, rootSerial: "10003001"
            )
        ]
    }

    // MARK: Dice

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &generator) == 0 }

    private mutating func element<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }
}
