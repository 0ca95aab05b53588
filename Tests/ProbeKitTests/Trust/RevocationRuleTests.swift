import ProbeKit
import ProbePlatform
import Testing

@testable import ProbeLab
@testable import ProbeTrust

/// The rules for revocation lists, asked for a path without a search: their number and their cost.
@Suite struct RevocationRuleTests {
    private static let pki = TestChain.pki
    private static let issuer = LabCertificateRecipe.authority("Rule Issuer", issuer: nil)

    private func path() throws -> [ParsedCertificate] {
        try [Self.pki.issue(.leaf("rule", issuer: nil), by: Self.issuer), Self.pki.issue(Self.issuer)].map {
            try ParsedCertificate.parse($0).get()
        }
    }

    private func problems(
        _ path: [ParsedCertificate], _ lists: ParsedRevocationLists, _ budget: inout SearchBudget
    ) -> [TrustReading.Problem] {
        RevocationRules.problems(ofPath: path, lists, at: Self.pki.epoch, &budget).map(\.reported)
    }

    /// A list costs ten units for each certificate that it covers, and its signature once.
    @Test func aListIsPaidFor() throws {
        let path = try path()
        let der = try Self.pki.encode(LabRevocationList([[0x11]]), by: Self.issuer)
        let signature = path[1].verificationCost + EditableDER(der)[0].encoded.count / 300
        let lists = ParsedRevocationLists([der, der])
        var budget = SearchBudget(units: 10_000)
        #expect(problems(path, lists, &budget).isEmpty)
        #expect(budget.remaining == 10_000 - 2 * (10 + signature))
        // The lists know who signed them.
        #expect(problems(path, lists, &budget).isEmpty)
        #expect(budget.remaining == 10_000 - 2 * (10 + signature) - 20)
        for (units, isEnough) in [(20, true), (19, false), (10, false), (9, false), (0, false)] {
            var budget = SearchBudget(units: units)
            let found = problems(path, lists, &budget)
            #expect(found.map(\.cause) == (isEnough ? [] : [.tooComplex]), "\(units)")
            #expect(found.allSatisfy { $0.depth == 0 })
        }
    }

    @Test func atMost64ListsAreRead() throws {
        let path = try path()
        let list = try Self.pki.encode(
            LabRevocationList([LabPKI.serial(of: path[0].der)]), by: Self.issuer)
        for (count, cause) in [(64, TrustCause.revoked), (65, .tooComplex)] {
            var budget = SearchBudget()
            let lists = ParsedRevocationLists(Array(repeating: list, count: count))
            #expect(problems(path, lists, &budget).map(\.cause) == [cause])
        }
    }
}
