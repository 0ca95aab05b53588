import ProbeKit
import SwiftASN1
import Testing
import X509

@Suite struct SystemAnchorsTests {
    /// An anchor that the reference verifier can't read would make every chain below it untrusted there alone.
    @Test func everyAnchorOfTheSystemIsRead() throws {
        let anchors = try TrustAnchors.system()
        #expect(!anchors.certificates.isEmpty)
        for der in anchors.certificates {
            #expect(throws: Never.self) { () throws in try Certificate(derEncoded: der) }
        }
    }
}
