import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeTrust

/// The endpoint to dial, the trust anchors, the time and the timeout.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Dial here; name and SNI stay the target's.", valueName: "addr:port"))
    var connect: Given<Endpoint>?

    @Option(
        help: ArgumentHelp("Trust the certificates of this PEM or DER file instead of the system's.", valueName: "file")
    )
    var ca: String?

    @Option(help: Self.crlHelp) var crl: [String] = []

    @Option(help: ArgumentHelp("Judge validity at this instant (RFC 3339) instead of now.", valueName: "instant"))
    var at: Given<Date>?

    @Option(
        help: ArgumentHelp(
            "The most one target may take in all; fractions allowed; 10 when not given.", valueName: "seconds"))
    var timeout: Given<TimeLimit>?

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

    var clock: ProbeClock { at.map { .fixed($0.value) } ?? .system }

    /// Returns the same clock for a long run: it starts at that instant and runs.
    var runningClock: ProbeClock {
        guard let start = at?.value else { return .system }
        let begin = ContinuousClock.now
        return ProbeClock { start.addingTimeInterval(begin.duration(to: .now).inSeconds) }
    }

    var limit: Duration { timeout?.value.duration ?? .seconds(10) }

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
