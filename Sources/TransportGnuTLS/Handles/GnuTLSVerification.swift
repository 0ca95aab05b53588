import CProbeGnuTLS
import ProbePlatform
import Synchronization

/// One verification in progress: the instant it judges at, and the steps GnuTLS took.
///
/// GnuTLS has one clock for the whole process, and its step function takes no context. Both are C functions that look
/// for the verification of their own task: GnuTLS calls them on the thread, and during the call, that verifies, so they
/// find the task-local value bound around that one synchronous call, and no other verification can.
final class GnuTLSVerification: Sendable {
    /// One certificate judged under its issuer, as DER.
    struct Step {
        let certificate: [UInt8]
        let issuer: [UInt8]?
        let status: GnuTLSStatus
    }

    /// `gnutls_verify_output_function`: certificate, issuer, CRL, status.
    typealias StepFunction =
        @convention(c) (gnutls_x509_crt_t?, gnutls_x509_crt_t?, gnutls_x509_crl_t?, UInt32) -> CInt

    @TaskLocal private static var current: GnuTLSVerification?

    private let instant: time_t
    private let recorded = Mutex<[Step]>([])

    /// Creates a verification at an instant, to the second, as certificates are.
    init(at instant: Date) {
        self.instant = Self.seconds(of: instant)
        Self.installClock
    }

    /// Returns an instant as a C time; one outside its range is later than everything.
    static func seconds(of instant: Date) -> time_t {
        time_t(exactly: instant.timeIntervalSince1970.rounded(.down)) ?? .max
    }

    /// The steps GnuTLS took, in its order: from the anchor's side down to the leaf.
    var steps: [Step] { recorded.withLock { $0 } }

    /// Runs `body`, in which GnuTLS sees this verification's instant and reports its steps here.
    func run<Result>(_ body: () -> Result) -> Result {
        Self.$current.withValue(self, operation: body)
    }

    /// The callback of GnuTLS after each step.
    static let recordStep: StepFunction = { certificate, issuer, _, status in
        guard let certificate = unsafe certificate, let current = GnuTLSVerification.current else { return 0 }
        let step = unsafe Step(
            certificate: GnuTLSCertificate.der(of: certificate), issuer: issuer.map(GnuTLSCertificate.der(of:)),
            status: GnuTLSStatus(rawValue: status))
        current.recorded.withLock { $0.append(step) }
        return 0
    }

    /// Gives GnuTLS its clock, once, before this module's first session and first verification. Outside of
    /// verifications it returns the system's time, which affects nothing in a report.
    static let installClock: Void = unsafe gnutls_global_set_time_function { pointer in
        let now = GnuTLSVerification.current?.instant ?? time(nil)
        unsafe pointer?.pointee = now
        return now
    }
}
