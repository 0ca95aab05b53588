import Foundation
import ProbeKit
import ProbePins
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing
import Yams

@testable import ProbeProfiles

/// The published schema and the reader, held together.
@Suite struct ProfileSchemaTests {
    private static func schema() throws -> Schema { try Schema.load("probe-profile-1.schema.json") }
    private static let examples = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples")

    @Test("[R96, R97] every key that the reader knows is in the schema, and no other") func keys() throws {
        let root = try Self.schema().root
        let definitions = try #require(root["$defs"] as? [String: [String: Any]])
        func member(_ schema: [String: Any], _ key: String) throws -> [String: Any] {
            var found = try #require((schema["properties"] as? [String: [String: Any]])?[key], "\(key)")
            if let reference = found["$ref"] as? String {
                found = try #require(definitions[String(reference.trimmingPrefix("#/$defs/"))])
            }
            return found["items"] as? [String: Any] ?? found["additionalProperties"] as? [String: Any] ?? found
        }
        func expect(_ schema: [String: Any], _ keys: [String]) {
            #expect(Set((schema["properties"] as? [String: Any] ?? [:]).keys) == Set(keys))
            #expect(schema["additionalProperties"] as? Bool == false)
        }
        expect(root, ProfileKeys.profile)
        let set = try member(root, "pins")
        expect(set, ProfileKeys.pinSet)
        expect(try member(set, "anyOf"), ProfileKeys.pin)
        expect(try member(set, "window"), ProfileKeys.window)
        expect(try member(root, "hosts"), ProfileKeys.hostRule)
        expect(try member(root, "services"), ProfileKeys.service)
        expect(try member(root, "environments"), ProfileKeys.environment)
        let model = try member(root, "models")
        expect(model, ProfileKeys.modelRule)
        expect(try member(model, "registry"), ProfileKeys.registryRow)
        expect(try member(root, "signers"), ProfileKeys.signer)

        func words(_ schema: [String: Any], _ key: String) throws -> Set<String> {
            Set(try #require(member(schema, key)["enum"] as? [Any]).compactMap { $0 as? String })
        }
        #expect(try words(root, "unlistedHost") == Set(UnlistedHost.allCases.map(\.rawValue)))
        #expect(try words(root, "trust") == Set(TrustMode.allCases.map(\.rawValue)))
        #expect(try words(root, "serverDate") == Set(ServerDateMode.allCases.map(\.rawValue)))
        #expect(try words(root, "minTLS") == Set(TLSVersion.allCases.map(\.number)))
        #expect(try words(set, "chain") == Set(PinChain.allCases.map(\.rawValue)))
        #expect(try words(set, "afterExpiry") == Set(PinGroup.Expiry.Afterwards.allCases.map(\.rawValue)))
        let window = try member(set, "window")
        #expect(try words(window, "fallback") == Set(TransitionWindow.Fallback.allCases.map(\.rawValue)))
        #expect(try words(window, "onMissingDate") == Set(TransitionWindow.MissingDate.allCases.map(\.rawValue)))
        #expect(try words(try member(root, "hosts"), "match") == Set(HostSemantics.allCases.map(\.rawValue)))
        #expect(try words(try member(root, "services"), "emulate") == Set(Emulation.allCases.map(\.rawValue) + ["nl"]))
        #expect(
            try words(try member(root, "environments"), "pinning")
                == Set(ProfileEnvironment.Pinning.allCases.map(\.rawValue)))
        #expect(try words(model, "dnssec") == Set(DNSSECPolicy.allCases.map(\.rawValue)))
        #expect(try words(model, "strings") == Set(TXTStrings.allCases.map(\.rawValue)))
        #expect(try words(model, "absent") == Set(ModelCheck.Absence.allCases.map(\.rawValue)))
    }

    @Test func theExamplesKeepToIt() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.examples.path)
            .filter { $0.split(separator: "/").last?.hasPrefix("profile") ?? false }
        #expect(paths.count >= 5)
        for path in paths {
            let text = try String(contentsOf: Self.examples.appending(path: path), encoding: .utf8)
            let value = Self.value(try #require(try Yams.compose(yaml: text)))
            let violations = try Self.schema().violations(in: value)
            #expect(violations.isEmpty, "\(path): \(violations)")
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func whatIsWrittenKeepsToIt(seed: UInt64) throws {
        let bytes = try ProfileFormat.nativeJSON.write(try RandomProfile.make(seed: seed)).bytes
        let violations = try Self.schema().violations(in: try JSONSerialization.jsonObject(with: Data(bytes)))
        #expect(violations.isEmpty, "\(violations)")
    }

    /// Any one key removed, and an extra one anywhere: reader and schema agree.
    @Test("[R72] reader and schema refuse the same") func oneKeyLessOrMore() throws {
        let schema = try Self.schema()
        for seed in 1...6 as ClosedRange<UInt64> {
            let bytes = try ProfileFormat.nativeJSON.write(try RandomProfile.make(seed: seed)).bytes
            let whole = try JSONSerialization.jsonObject(with: Data(bytes))
            for (path, variant) in Self.variants(of: whole) {
                let isValid = schema.violations(in: variant).isEmpty
                let text = String(decoding: try JSONSerialization.data(withJSONObject: variant), as: UTF8.self)
                let isRead = (try? ProfileFile.parse(text, from: "f")) != nil
                // A schema does not express that it goes with another key.
                let isBeyond = ["expires", "match", "position", "models.[0].servers"].contains { path.hasSuffix($0) }
                #expect(isRead == isValid || isBeyond, "seed \(seed), \(path)\n\(text)")
            }
        }
    }

    private static func variants(of value: Any) -> [(String, Any)] {
        if let object = value as? [String: Any] {
            var variants: [(String, Any)] = []
            let isNamed = object.values.allSatisfy { $0 is [String: Any] || $0 is String } && object["profile"] == nil
            for (key, member) in object {
                var less = object
                less[key] = nil
                variants.append((key, less))
                for (path, variant) in Self.variants(of: member) {
                    var changed = object
                    changed[key] = variant
                    variants.append(("\(key).\(path)", changed))
                }
            }
            if !isNamed { variants.append(("nonsense", object.merging(["nonsense": 1]) { $1 })) }
            return variants
        }
        guard let list = value as? [Any] else { return [] }
        return list.enumerated().flatMap { index, element in
            Self.variants(of: element).map { path, variant in
                var changed = list
                changed[index] = variant
                return ("[\(index)].\(path)", changed)
            }
        }
    }

    /// YAML as the JSON that a validator would be given.
    private static func value(_ node: Node) -> Any {
        switch node {
        case .mapping(let mapping):
            Dictionary(mapping.map { ($0.key.string ?? "", value($0.value)) }) { $1 }
        case .sequence(let sequence): sequence.map(value)
        case .scalar(let scalar) where scalar.style == .plain && ["true", "yes"].contains(scalar.string): true
        case .scalar(let scalar) where scalar.style == .plain && ["false", "no"].contains(scalar.string): false
        case .scalar(let scalar) where scalar.style == .plain && Int(scalar.string) != nil: Int(scalar.string) ?? 0
        case .scalar(let scalar): scalar.string
        case .alias: NSNull()
        }
    }
}
