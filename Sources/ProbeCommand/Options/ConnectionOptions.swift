import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeTrust

/// The endpoint to dial, the trust anchors, the time and the timeout.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Dial here; name and SNI stay the target's.", valueName: "addr:port"))
    var connect: String?

    @Option(
        help: ArgumentHelp("Trust the certificates of this PEM or DER file instead of the system's.", valueName: "file")
    )
    var ca: String?

    @Option(help: Self.crlHelp) var crl: [String] = []

    @Option(help: ArgumentHelp("Judge validity at this instant (RFC 3339) instead of now.", valueName: "instant"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "The most one target may take in all; fractions allowed; 10 when not given.", valueName: "seconds"))
    var timeout: String?

    /// Those of these options that were given.
    var given: [String] {
        [("--connect", connect != nil), ("--ca", ca != nil), ("--at", at != nil), ("--timeout", timeout != nil)]
            .filter(\.1).map(\.0)
    }

    static let crlHelp = ArgumentHelp(
        "Judge the certificates that the revocation lists of this PEM or DER file cover by them; repeat it.",
        discussion: """
            A certificate on its issuer's list is revoked. A list that is expired, not signed by the issuer or otherwise \
            unusable fails the check; a certificate that no list covers is named in a note. Lists are never fetched.
            """, valueName: "file")

    func target(_ text: String) throws(InputError) -> Target {
        try Target(text, connect: try dial())
    }

    /// Returns the endpoint to dial, if it is not the target's.
    func dial() throws(InputError) -> Endpoint? {
        guard let connect else { return nil }
        return try Self.endpoint(connect, option: "--connect")
    }

    /// Returns the anchors, with the revocation lists.
    func anchors() throws(InputError) -> TrustAnchors {
        var lists: [[UInt8]] = []
        for file in crl {
            do throws(InputError) {
                lists += try RevocationListFile.read(file)
            } catch {
                throw InputError("--crl \(error.message)", remedy: error.remedy, source: error.source)
            }
        }
        guard lists.count <= RevocationListFile.maximumCount else {
            throw InputError(
                "--crl names \(lists.count) revocation lists", remedy: "give at most \(RevocationListFile.maximumCount)"
            )
        }
        let anchors = try certificates()
        return lists.isEmpty ? anchors : anchors.with(revocationLists: lists)
    }

    private func certificates() throws(InputError) -> TrustAnchors {
        guard let ca else { return try .system() }
        do throws(InputError) {
            return try .file(ca)
        } catch {
            throw InputError("--ca \(error.message)", remedy: error.remedy, source: error.source)
        }
    }

    func clock() throws(InputError) -> ProbeClock {
        guard let at else { return .system }
        do throws(InputError) {
            return .fixed(try RFC3339.parse(at))
        } catch {
            throw InputError("--at \(error.message)", remedy: error.remedy)
        }
    }

    /// Returns the same clock for a long run: it starts at that instant and runs.
    func runningClock() throws(InputError) -> ProbeClock {
        let start = try clock().now
        guard at != nil else { return .system }
        let begin = ContinuousClock.now
        return ProbeClock { start.addingTimeInterval(begin.duration(to: .now).inSeconds) }
    }

    func limit() throws(InputError) -> Duration {
        guard let timeout else { return .seconds(10) }
        guard let seconds = Double(timeout), seconds > 0, seconds <= 3600 else {
            throw InputError(
                "--timeout '\(timeout)' is not a time to wait", remedy: "give seconds, more than 0 and at most 3600")
        }
        return .nanoseconds(Int64(seconds * 1e9))
    }

    static func endpoint(_ text: String, option: String) throws(InputError) -> Endpoint {
        do throws(InputError) {
            return try Endpoint(text)
        } catch {
            throw InputError("\(option) \(error.message)", remedy: error.remedy)
        }
    }

    /// Reads an option's DNS server.
    static func dnsServer(_ text: String) throws(InputError) -> Endpoint {
        do throws(InputError) {
            return try .dnsServer(text)
        } catch {
            throw InputError("--dns-server \(error.message)", remedy: error.remedy)
        }
    }
}
