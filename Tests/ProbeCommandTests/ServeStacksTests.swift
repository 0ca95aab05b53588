#if Serve
    import ProbeKit
    import Testing

    @testable import ProbeCommand

    /// The names by which a server knows the verdicts that it kept.
    @Suite struct ServeStacksTests {
        @Test("stacks that read this machine's settings are others after each start") func systemSettings() {
            let stacks = [
                BackendIdentity(name: "openssl", library: "OpenSSL", version: "3"),
                BackendIdentity(name: "ldns", library: "ldns", version: "1"),
            ]
            #expect(ServeCommand.names(of: stacks, withSystemSettings: false) == "openssl 3, ldns 1")
            let names = (0..<2).map { _ in ServeCommand.names(of: stacks, withSystemSettings: true) }
            #expect(Set(names).count == 2 && names.allSatisfy { $0.hasPrefix("openssl 3, ldns 1, ") })
        }
    }
#endif
