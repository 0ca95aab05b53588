import Foundation
import ProbeKit
import Testing

@testable import ProbeNet

@Suite struct ClientHelloTests {
    private static func vector(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }

    private static func points(_ numbers: [UInt16]) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    private static func added(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
        points([type]) + vector(content, 2)
    }

    /// A message in as many records as it takes with `size` bytes each.
    private static func records(suites: [UInt16], extensions: [[UInt8]], size: Int = 16_384) -> [UInt8] {
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + vector([], 1) + vector(points(suites), 2) + vector([0], 1)
            + vector(extensions.flatMap(\.self), 2)
        let message = [1] + vector(body, 3)
        return stride(from: 0, to: message.count, by: size).flatMap { start in
            [22, 3, 1] + vector(Array(message[start..<min(start + size, message.count)]), 2)
        }
    }

    private static let extensions = [
        added(10, vector(points([0x1a1a, 0x001d, 0x0017]), 2)),
        added(13, vector(points([0x0403, 0x0804]), 2)),
        added(16, vector([2] + Array("h2".utf8), 2)),
        added(43, vector(points([0x2a2a, 0x0304, 0x0303]), 1)),
        added(0x3a3a, []),
    ]

    private static let offer = ClientOffer(
        versions: ["TLS 1.2", "TLS 1.3"],
        cipherSuites: ["TLS_AES_128_GCM_SHA256", "tls_ecdhe_rsa_with_aes_128_gcm_sha256"],
        groups: ["x25519", "secp256r1"], signatureAlgorithms: ["ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256"],
        alpn: ["h2"])

    private static func request(_ offer: ClientOffer) -> HandshakeRequest {
        HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: 1), serverName: .ip(.loopback4), anchors: .none,
            instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800)), offer: offer)
    }

    @Test(arguments: [16_384, 100, 1])
    func isReadFromAsManyRecordsAsItCame(size: Int) throws {
        let records = Self.records(
            suites: [0x5a5a, 0x1301, 0xc02f, 0x00ff, 0x5600], extensions: Self.extensions, size: size)
        let hello = try #require(ClientHello(records: records))
        #expect(hello.cipherSuites == [0x1301, 0xc02f], "GREASE and signalling values are not suites")
        #expect(hello.groups == [0x001d, 0x0017])
        #expect(hello.signatureSchemes == [0x0403, 0x0804])
        #expect(hello.alpn == ["h2"])
        #expect(hello.supportedVersions == [0x0304, 0x0303])
        #expect(hello.contradiction(of: Self.request(Self.offer)) == nil)
        #expect(ClientHello(records: records.dropLast(records.count / 2)) == nil)
    }

    /// Each field alone is enough to refuse, and is named.
    @Test(arguments: [
        (ClientOffer(versions: ["TLS 1.3"]), "TLS 1.2"),
        (ClientOffer(cipherSuites: ["TLS_AES_128_GCM_SHA256"]), "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
        (ClientOffer(groups: ["secp256r1", "x25519"]), "order"),
        (ClientOffer(groups: []), "x25519"),
        (ClientOffer(signatureAlgorithms: ["ed25519"]), "ed25519"),
        (ClientOffer(alpn: []), "h2"),
    ])
    func eachFieldIsCompared(offer: ClientOffer, words: String) throws {
        let hello = try #require(
            ClientHello(records: Self.records(suites: [0x1301, 0xc02f], extensions: Self.extensions)))
        let refusal = try #require(hello.contradiction(of: Self.request(offer)))
        #expect(refusal.code == .unsupported)
        #expect(refusal.message.contains(words), "\(refusal.message)")
    }

    @Test func withoutTheExtensionTheVersionIsTheNewest() throws {
        let hello = try #require(ClientHello(records: Self.records(suites: [0xc02f], extensions: [])))
        #expect(hello.contradiction(of: Self.request(ClientOffer(versions: ["TLS 1.1", "TLS 1.2"], alpn: []))) == nil)
        #expect(hello.contradiction(of: Self.request(ClientOffer(versions: ["TLS 1.1"]))) != nil)
        #expect(hello.contradiction(of: Self.request(ClientOffer(groups: []))) == nil)
    }

    @Test(arguments: [[], [22], [22, 3, 1, 0, 5, 1, 0, 0, 9, 3], Array("HTTP/1.1 200".utf8), [22, 3, 1, 255, 255]])
    func otherBytesAreNone(bytes: [UInt8]) {
        #expect(ClientHello(records: bytes) == nil)
    }
}
