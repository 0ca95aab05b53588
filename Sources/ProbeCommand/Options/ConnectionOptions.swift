import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRoots
import ProbeTrust

/// The endpoint to dial, the trust anchors, the time and the timeout.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Dial here, an address and port or unix:PATH; name and SNI stay the target's.", valueName: "addr:port"))
    var connect: Given<DialAddress>?

    @Option(
        help: ArgumentHelp("Trust the certificates of this PEM or DER file instead of the system's.", valueName: "file")
    )
    var ca: String?

    @Option(help: Self.rootsHelp) var roots: Given<RootStoreName>?

    @Option(help: ArgumentHelp("Judge validity at this instant (RFC 3339) instead of now.", valueName: "instant"))
    var at: Given<Date>?

    @Option(
        help: ArgumentHelp(
            "The most one target may take in all; fractions allowed; 10 when not given.", valueName: "seconds"))
    var timeout: Given<TimeLimit>?

    /// The endpoint to dial instead of the target's; nil if none was given.
    var dial: Endpoint? { if case .endpoint(let endpoint) = connect?.value { endpoint } else { nil } }

    /// The path of the socket to dial instead; nil if none was given.
    var socket: String? { if case .socket(let path) = connect?.value { path } else { nil } }

    /// Those of these options that were given.
    var given: [String] {
        [
            ("--connect", connect != nil), ("--ca", ca != nil), ("--roots", roots != nil), ("--at", at != nil),
            ("--timeout", timeout != nil),
        ]
        .filter(\.1).map(\.0)
    }

    /// The option that gives anchors instead of the system's; nil if there is none.
    var anchorOption: String? { ca != nil ? "--ca" : roots != nil ? "--roots" : nil }

    static let rootsHelp = ArgumentHelp(
        "Trust a root store as it was on a day, like mozilla@2021-05, or demand that all do; see probe roots list.",
        valueName: "name[@day]")

    /// Refuses a mode of trust by which no root store is judged.
    static func refuse(_ trust: TrustMode, with anchors: TrustAnchors) throws(InputError) {
        guard trust == .native, !anchors.stores.isEmpty else { return }
        throw InputError(
            "--roots all and --trust native are given, and stores are judged by the reference verifier",
            remedy: "leave one of the two out, or name one store")
    }

    /// Returns the anchors, with the revocation lists of these options.
    func anchors(_ revocation: RevocationOptions? = nil) throws(InputError) -> TrustAnchors {
        let lists = try revocation?.lists() ?? []
        let anchors = try certificates()
        return lists.isEmpty ? anchors : anchors.with(revocationLists: lists)
    }

    private func certificates() throws(InputError) -> TrustAnchors {
        if let roots {
            guard ca == nil else {
                throw InputError("--ca and --roots are given", remedy: "choose one of the two")
            }
            do throws(InputError) {
                return try RootDatabase.standard().anchors(roots.value)
            } catch {
                throw InputError("--roots: \(error.message)", remedy: error.remedy, source: error.source)
            }
        }
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
