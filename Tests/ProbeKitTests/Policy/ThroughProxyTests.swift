import ProbeKit
import ProbeLab
import ProbeRun
import Testing

/// A proxy that opens connections is known by its root.
@Suite struct ThroughProxyTests {
    private static func findings(_ evidence: Evidence, publicRoots: Set<[UInt8]> = []) throws -> [String] {
        let policy = ThroughProxy(try HandshakeRequest.Proxy("http://proxy.test")) { publicRoots.contains($0) }
        return policy.judge(evidence, at: TestConnection.pki.epoch).map { finding in
            #expect(finding.message.contains("http://proxy.test:1080"))
            return "\(finding.severity.rawValue) \(finding.code)"
        }
    }

    @Test("a trusted root of this machine that no public store has is the proxy's") func intercepting() throws {
        let path = try TestConnection.path()
        let ours = TestConnection.evidence(path: path, anchorsAreSystem: true)
        #expect(try Self.findings(ours) == ["warning proxy-intercepts"])
        #expect(try Self.findings(ours, publicRoots: Set(path.suffix(1))).isEmpty)
        // The user named this root, so that it may be the server's.
        #expect(try Self.findings(TestConnection.evidence(path: path)) == ["note proxy-may-intercept"])
    }

    @Test("so is a root that it presents and nobody trusts") func untrusted() throws {
        let path = try TestConnection.path()
        let root = TestConnection.evidence(path: path + path.suffix(1), isTrusted: false)
        #expect(try Self.findings(root) == ["warning proxy-intercepts"])
        #expect(try Self.findings(root, publicRoots: Set(path.suffix(1))).isEmpty)
        // An intermediate alone may be anybody's.
        #expect(try Self.findings(TestConnection.evidence(path: path, isTrusted: false)).isEmpty)
    }

    /// It may be the server's own, as a device has it.
    @Test("a self-issued leaf alone says nothing about the proxy") func alone() throws {
        let root = try TestConnection.path().suffix(1)
        #expect(try Self.findings(TestConnection.evidence(path: Array(root + root), isTrusted: false)).isEmpty)
    }
}
