public import ProbeKit

/// Certificates of which a chain has to have one, compared attribute by attribute (requirements 88 and 89).
public struct CertificateExpectation: Hashable, Sendable {
    /// The name in reports: the file's path.
    public let name: String
    /// The alternatives, DER.
    public let certificates: [[UInt8]]
    /// The positions in the chain where it may be.
    public let position: PinPosition
    /// The chain to search.
    public let chain: PinChain

    /// Creates an expectation.
    public init(
        name: String, certificates: [[UInt8]], position: PinPosition = .any, chain: PinChain = .validated
    ) {
        self.name = name
        self.certificates = certificates
        self.position = position
        self.chain = chain
    }

    /// Reads `FILE` or `FILE@POSITION`; the file contains PEM or DER.
    ///
    /// - Throws: `InputError` naming the file.
    public init(_ text: String, chain: PinChain = .validated) throws(InputError) {
        var (path, position) = (text, PinPosition.any)
        if let at = text.lastIndex(of: "@"), let stated = PinPosition(String(text[text.index(after: at)...])) {
            (path, position) = (String(text[..<at]), stated)
        }
        self.init(
            name: path, certificates: try CertificateFile.read(path), position: position, chain: chain)
    }
}
