public import ProbeKit
public import ProbePlatform

/// Reports whether a proxy signs what servers present: then a verdict is about the proxy, and not about the server.
public struct ThroughProxy: Policy {
    private let proxy: HandshakeRequest.Proxy
    private let isPublic: @Sendable ([UInt8]) -> Bool

    /// Creates the policy for connections through a proxy.
    ///
    /// - Parameter isPublic: returns true for the DER of a root that a public store has, or had.
    public init(_ proxy: HandshakeRequest.Proxy, isPublic: @escaping @Sendable ([UInt8]) -> Bool) {
        self.proxy = proxy
        self.isPublic = isPublic
    }

    /// Returns a warning if the root of a trusted chain is in no public store; of a chain that is not trusted, if it has such
    /// a root itself. Anchors that the user named are the user's own, and a note is enough.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, let root = Self.root(of: connection),
            !isPublic(connection.certificates[root].der)
        else { return [] }
        let name = connection.certificates[root].name
        guard connection.anchors.isSystem || connection.validated == nil else {
            return [
                .note(
                    "proxy-may-intercept", stage: .trust,
                    "the chain ends in \(name), one of the anchors that were given and in no public store: if it is \(proxy)'s, the certificate is the proxy's too"
                )
            ]
        }
        return [
            .warning(
                "proxy-intercepts", stage: .trust,
                "the chain that came through \(proxy) ends in \(name), which no public store has: the proxy opens connections, and this certificate is its own",
                fix: "have the proxy's operator pass this server through unopened, or probe without the proxy")
        ]
    }

    /// The root of the validated path, else a self-issued certificate at the end of the presented chain.
    private static func root(of connection: ConnectionEvidence) -> Int? {
        if let path = connection.validated { return path.last }
        guard let last = connection.presented.last, last > 0, let details = connection.certificates[last].details,
            details.subject == details.issuer
        else { return nil }
        return last
    }
}
