extension RootFile {
    /// The certificates of a root store, and those in its files that it does not trust.
    public struct Content: Sendable {
        /// The trusted ones as DER, each once, in the order of the files.
        public let certificates: [[UInt8]]
        /// Those that OpenSSL's trust settings reject for TLS servers, or that are in a folder of distrusted ones; first those
        /// that are in a file of trusted ones too.
        public let rejected: [Rejected]

        /// Creates the content of files. A certificate that one of them rejects is not trusted for being in another.
        ///
        /// - Parameters:
        ///   - certificates: as DER.
        ///   - rejected: those that are not to be trusted.
        public init(_ certificates: [[UInt8]], rejected: [Rejected] = []) {
            let (given, refused) = (Set(certificates), Set(rejected.map(\.certificate)))
            var seen: Set<[UInt8]> = []
            self.certificates = certificates.filter { !refused.contains($0) && seen.insert($0).inserted }
            self.rejected =
                rejected.filter { given.contains($0.certificate) }
                + rejected.filter { !given.contains($0.certificate) }
        }

        /// Returns the content of a file in a folder of what is not to be trusted.
        func distrusted(by folder: String, _ path: String) -> Content {
            let all = certificates + rejected.map(\.certificate)
            return Content([], rejected: all.map { Rejected(certificate: $0, path: path, reason: .folder(folder)) })
        }
    }

    /// A certificate that is left out of a store.
    public struct Rejected: Sendable, CustomStringConvertible {
        /// The part of a store that a certificate is rejected by.
        enum Reason {
            /// OpenSSL's trust settings, in the block that begins in a line.
            case settings(line: Int)
            /// The folder of a file.
            case folder(String)
        }

        /// The certificate as DER.
        public let certificate: [UInt8]
        /// The file.
        public let path: String
        let reason: Reason
        /// True if the file was not chosen: it says something of the others alone.
        package private(set) var isOfUnchosenFile = false

        /// Creates a certificate that is left out.
        init(certificate: [UInt8], path: String, reason: Reason) {
            (self.certificate, self.path, self.reason) = (certificate, path, reason)
        }

        /// The same in a file that was not chosen.
        var ofUnchosenFile: Rejected {
            var other = self
            other.isOfUnchosenFile = true
            return other
        }

        /// The place and the reason, as a sentence.
        public var description: String {
            switch reason {
            case .settings(let line):
                "the certificate of line \(line) of \(path) is left out: it is marked as not trusted for TLS servers"
            case .folder(let folder):
                "the certificate of \(path) is left out: '\(folder)' has what is not to be trusted"
            }
        }
    }
}
