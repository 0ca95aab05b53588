import ProbeKit
import ProbeNet
import ProbePlatform

extension CheckOptions {
    /// True if records lead to the servers.
    var isFollowing: Bool { dane || reach.addresses.follow }

    /// Refuses options that the TLSA records of `--dane` replace, and that it can't be combined with.
    func refuseBesidesDANE() throws(InputError) {
        guard dane else { return }
        let replaced = [
            ("--ca", connection.ca != nil), ("--roots", connection.roots != nil), ("--crl", !revocation.crl.isEmpty),
            ("--trust", policy.trust != nil), ("--emulate", policy.emulate != nil),
        ]
        if let option = replaced.first(where: \.1)?.0 {
            throw InputError(
                "\(option) and --dane are given, and with --dane the TLSA records say whom to trust",
                remedy: "leave one of the two out")
        }
        guard profile.profile == nil else {
            throw InputError(
                "--dane and --profile are given, and a profile has trust of its own",
                remedy: "name the mail domains on the command line, or leave --dane out")
        }
    }

    /// Refuses a target without MX records to ask for.
    func refuseWithoutMail(_ target: Target) throws(InputError) {
        guard dane else { return }
        if case .exchanges = ServiceQuestion(about: target) { return }
        throw InputError(
            "--dane asks for the MX records of a mail domain, and \(target) is not one",
            remedy: "write smtp://DOMAIN, or leave --dane out")
    }
}

extension DNSOptions {
    /// Returns the source of records that DNSSEC proves.
    ///
    /// - Parameter servers: those to ask; the system's if there are none.
    func validating(at servers: [Endpoint], instant: Date?) throws(InputError) -> any RecordSource {
        guard let resolver = Backends.current.resolvers.lazy.compactMap({ $0 as? any RecordValidating }).first else {
            throw InputError(
                "--dane needs a resolver that validates MX and TLSA records, and this build has none",
                remedy: "use a build with unbound")
        }
        if let absence = resolver.absence {
            throw InputError(
                "--dane needs \(resolver.name), which can't be used on this machine: \(absence.reason)",
                remedy: absence.remedy)
        }
        let anchors = dnssecAnchor.isEmpty ? try DNSAnchor.system() : try givenAnchors()
        return resolver.records(
            at: servers.isEmpty ? try Self.systemServers() : servers, anchors: anchors, instant: instant)
    }
}
