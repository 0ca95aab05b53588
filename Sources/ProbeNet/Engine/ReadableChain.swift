package import ProbeKit

/// An error that a TLS library reported.
package protocol LibraryError: Error {
    /// The error's code as the library prints it; nil if there is none.
    var code: String? { get }
    /// The library's own words.
    var message: String { get }
}

extension LibraryError {
    /// Returns the refusal of a chain that could not be read or judged for this error.
    ///
    /// - Parameter depth: the certificate's, the leaf's being 0; nil if it is not one's.
    fileprivate func refusal(_ cause: TrustCause, depth: Int? = nil) -> TrustReading {
        .refused([.init(cause, message, nativeCode: code, depth: depth)])
    }
}

/// A chain of which a library can read every certificate.
package struct ReadableChain<Certificate: Sendable>: Sendable {
    /// The server's certificate.
    package let leaf: Certificate
    /// All certificates, the leaf first.
    package let certificates: [Certificate]

    /// The refusal of a chain that is not one.
    private struct Refusal: Error {
        let reading: TrustReading
    }

    private init(
        _ readings: [Result<Certificate, some LibraryError>], absence: () -> TrustReading.Problem
    ) throws(Refusal) {
        var certificates: [Certificate] = []
        for reading in readings {
            switch reading {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error):
                throw Refusal(reading: error.refusal(.malformed, depth: certificates.count))
            }
        }
        guard let leaf = certificates.first else { throw Refusal(reading: .refused([absence()])) }
        self.leaf = leaf
        self.certificates = certificates
    }

    /// Returns the decision on the chain that a library read; what it can't read as one is refused.
    ///
    /// - Parameters:
    ///   - absence: the problem of a chain without a certificate.
    ///   - decide: the library's decision; what it throws refuses the chain with the cause `other`.
    package static func judge<Failure: LibraryError>(
        _ readings: [Result<Certificate, Failure>],
        absence: @autoclosure () -> TrustReading.Problem = .init(.malformed, "no certificate was presented"),
        by decide: (ReadableChain<Certificate>) throws(Failure) -> TrustReading
    ) -> TrustReading {
        let chain: ReadableChain<Certificate>
        do throws(Refusal) { chain = try ReadableChain(readings, absence: absence) } catch { return error.reading }
        do throws(Failure) { return try decide(chain) } catch { return error.refusal(.other) }
    }
}
