public import ProbeKit
import ProbePins

/// The facts of the last good connection to a target, for detecting changes that the verdict ignores (requirements 73,
/// 74).
public struct Baseline: Hashable, Sendable, Codable {
    /// SHA-256 of the leaf.
    public let leaf: PinDigest
    /// SHA-256 of each key of the presented chain, the leaf's first.
    public let keys: [PinDigest]
    /// The pins of the check that the chain matches, sorted.
    public let pins: [PinDigest]

    /// Creates a baseline.
    public init(leaf: PinDigest, keys: [PinDigest], pins: [PinDigest]) {
        self.leaf = leaf
        self.keys = keys
        self.pins = pins
    }

    /// Creates the baseline of a connection; nil if no chain can be read.
    init?(_ connection: ConnectionEvidence, pins groups: [PinGroup]) {
        let presented = connection.presented.compactMap { try? connection.certificates[$0].digests.get() }
        guard let leaf = presented.first, presented.count == connection.presented.count else { return nil }
        let all = connection.certificates.compactMap { try? $0.digests.get() }
        let pins = Set(groups.flatMap(\.pins)).filter { pin in all.contains { $0[pin.kind] == pin.digest } }
        self.init(
            leaf: leaf.cert, keys: presented.map(\.spki), pins: Set(pins.map(\.digest)).sorted { $0.hex < $1.hex })
    }

    /// Returns a description of the changes since an earlier baseline; nil if there are none.
    public func drift(from earlier: Baseline) -> String? {
        guard self != earlier else { return nil }
        var changes: [String] = []
        if keys.count != earlier.keys.count {
            changes.append("the chain has \(keys.count.counted("certificate")) instead of \(earlier.keys.count)")
        }
        if let key = keys.first, let before = earlier.keys.first, key != before {
            changes.append("the server has another key, \(key.base64) and no longer \(before.base64)")
        } else if leaf != earlier.leaf {
            changes.append("the server has another certificate for the same key")
        }
        if keys.dropFirst() != earlier.keys.dropFirst(), keys.count == earlier.keys.count {
            changes.append("it comes from other issuers")
        }
        if pins != earlier.pins {
            let isOne = pins.count == 1
            changes.append(
                pins.count == earlier.pins.count
                    ? (isOne ? "another pin matches than before" : "other pins match than before")
                    : "\(pins.count.counted("pin")) \(isOne ? "matches" : "match") instead of \(earlier.pins.count)")
        }
        return changes.joined(separator: "; ")
    }
}

/// A store of baselines; one in a file lets a watch detect changes made while it did not run.
public protocol BaselineStore: Sendable {
    /// Returns the baseline of a subject; nil if there is none yet.
    func baseline(for subject: String) async -> Baseline?

    /// Replaces a subject's baseline. It is only called for connections that passed and had a chain (requirement 73).
    ///
    /// A watch that is cancelled calls it too, for what it has seen: a store that gave up then would forget that.
    func replaceBaseline(_ baseline: Baseline, for subject: String) async
}

/// Keeps baselines in memory.
public actor MemoryBaselines: BaselineStore {
    private var baselines: [String: Baseline] = [:]

    /// Creates an empty store.
    public init() {}

    /// Returns the baseline of a subject.
    public func baseline(for subject: String) -> Baseline? { baselines[subject] }

    /// Replaces a subject's baseline.
    public func replaceBaseline(_ baseline: Baseline, for subject: String) {
        baselines[subject] = baseline
    }
}
