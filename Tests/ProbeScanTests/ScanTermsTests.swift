import Foundation
import ProbeKit
import Testing

@testable import ProbeScan

/// The identifier of the settings by which targets were judged.
@Suite struct ScanTermsTests {
    private func terms(
        _ anchors: TrustAnchors = .none, _ change: (inout ScanSettings) -> Void = { _ in }
    ) -> ScanTerms {
        var settings = ScanSettings(
            timeout: .seconds(10), pinChain: "validated", trust: "both", minTLS: "1.2", serverDate: "off",
            dnssec: "off",
            concurrency: 32)
        change(&settings)
        return ScanTerms(transports: [], resolvers: [], anchors: anchors, options: settings)
    }

    @Test func speedIsNotPartOfIt() {
        let fast = terms {
            $0.concurrency = 64
            $0.spacing = 1
            $0.timeout = 3
        }
        #expect(fast.id == terms().id && fast.changes(since: terms()).isEmpty)
    }

    @Test func whatDecidesIs() {
        let other = terms {
            $0.trust = "native"
            $0.model = "a"
        }
        #expect(other.id != terms().id)
        #expect(other.changes(since: terms()) == [["trust"], ["model"]])
    }

    /// Of two days with the same roots, spread otherwise over the stores, one may refuse what the other trusts.
    @Test func whichStoreHasARootIs() throws {
        func all(_ first: [[UInt8]], _ second: [[UInt8]]) -> TrustAnchors {
            TrustAnchors(
                name: "all",
                stores: [
                    TrustAnchors(name: "one", certificates: first), TrustAnchors(name: "two", certificates: second),
                ])
        }
        let (before, after) = (terms(all([[1], [2]], [[1]])), terms(all([[1]], [[1], [2]])))
        #expect(before.id != after.id)
        #expect(after.changes(since: before) == [["ca", "roots", "crl"]])
        let manifest = ScanManifest(
            before, counts: ScanTally(), isComplete: true, version: "1", began: "", ended: "")
        let read = try JSONDecoder().decode(ScanTerms.self, from: Data(manifest.json.utf8))
        #expect(read.id == before.id && read.changes(since: before).isEmpty)
    }

    /// A scan of an earlier version that was killed before its manifest left only an identifier without the stores.
    @Test func theIdentifierOfAnEarlierVersionIsKnown() {
        let store = TrustAnchors(name: "one", certificates: [[1]])
        let all = terms(TrustAnchors(name: "all", stores: [store, TrustAnchors(name: "two", certificates: [[2]])]))
        let earlier = terms(TrustAnchors(name: "all", certificates: [[1], [2]]))
        #expect(all.hasStores && !earlier.hasStores)
        #expect(all.id != earlier.id && all.idWithoutStores == earlier.id)
    }

    /// Files of results have these identifiers.
    @Test func aSingleStoreCountsByItsDigestAlone() throws {
        let anchors = TrustAnchors(name: "one", certificates: [[1]])
        let values = try #require(ScanTerms.decisive.first { $0.names.contains("roots") }).values(terms(anchors))
        #expect(values.count == 1)
        let renamed = TrustAnchors(name: "two", certificates: [[1]])
        #expect(terms(anchors).id == terms(renamed).id)
    }
}
