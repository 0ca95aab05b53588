import Foundation
import Testing

/// The compiler's arguments have the traits in the order in which SwiftPM finds them. Where one enables two others that order
/// is another in each run, and every run builds everything anew.
@Suite struct TraitTests {
    @Test func eachTraitEnablesAtMostOneOther() throws {
        let manifest = try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
        let enabled = manifest.matches(of: #/enabledTraits: \[(.*?)\]/#).map { $0.1.split(separator: ",").count }
        #expect(enabled.count > 2 && enabled.allSatisfy { $0 == 1 }, "\(enabled)")
    }
}
