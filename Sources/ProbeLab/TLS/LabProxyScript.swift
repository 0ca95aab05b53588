import ProbeKit

/// A fault of a proxy.
public enum LabProxyFault: Hashable, Sendable, CaseIterable {
    /// It wants credentials, or others.
    case wantsCredentials
    /// It does not allow the server.
    case forbids
    /// It tried and could not connect.
    case cannotConnect
    /// Bytes follow its answer.
    case injects
}

/// The steps of a proxy that then answers as the server itself, which looks the same to a client.
struct LabProxyScript {
    private let scheme: HandshakeRequest.Proxy.Scheme
    private let target: Endpoint
    private let credentials: String?

    init(_ scheme: HandshakeRequest.Proxy.Scheme, _ target: Endpoint, credentials: String?) {
        self.scheme = scheme
        self.target = target
        self.credentials = credentials
    }

    /// Returns the dialogue that ends with a connection, or with a fault.
    func steps(_ fault: LabProxyFault?) -> [LabDialogue.Step] {
        let excess: [UInt8] = fault == .injects ? [0, 1, 2, 3] : []
        return scheme.isSOCKS ? socks(fault, excess) : http(fault, excess)
    }

    private func http(_ fault: LabProxyFault?, _ excess: [UInt8]) -> [LabDialogue.Step] {
        let proof = credentials.map { "Proxy-Authorization: Basic \(Base64.encode(Array($0.utf8)))\r\n" } ?? ""
        let answer =
            switch fault {
            case .wantsCredentials:
                "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"lab\"\r\n\r\n"
            case .forbids: "403 Forbidden\r\nContent-Length: 2\r\n\r\nno"
            case .cannotConnect: "502 Bad Gateway\r\n\r\n"
            case .injects, nil: "200 Connection established\r\nVia: lab\r\n\r\n"
            }
        return [
            .hears(Array("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(proof)\r\n".utf8)),
            .says(Array("HTTP/1.1 \(answer)".utf8) + excess),
        ]
    }

    private func socks(_ fault: LabProxyFault?, _ excess: [UInt8]) -> [LabDialogue.Step] {
        let address: [UInt8] =
            switch target.host {
            case .ip(let address): [address.isIPv6 ? 4 : 1] + address.bytes
            case .dns(let name): [3, UInt8(clamping: name.utf8.count)] + Array(name.utf8)
            }
        let request = [5, 1, 0] + address + [UInt8(target.port >> 8), UInt8(target.port & 0xff)]
        let answer: [LabDialogue.Step] =
            switch fault {
            case .wantsCredentials: []
            case .forbids: [.hears(request), .says([5, 2, 0, 1, 0, 0, 0, 0, 0, 0])]
            case .cannotConnect: [.hears(request), .says([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])]
            case .injects, nil: [.hears(request), .says([5, 0, 0, 3, 3] + Array("lab".utf8) + [0, 80] + excess)]
            }
        guard let credentials else {
            return [.hears([5, 1, 0]), .says([5, fault == .wantsCredentials ? 0xff : 0])] + answer
        }
        let parts = credentials.split(separator: ":", maxSplits: 1).map { Array($0.utf8) }
        let proof = parts.reduce([1]) { $0 + [UInt8($1.count)] + $1 }
        return [
            .hears([5, 2, 0, 2]), .says([5, 2]), .hears(proof), .says([1, fault == .wantsCredentials ? 1 : 0]),
        ] + answer
    }
}
