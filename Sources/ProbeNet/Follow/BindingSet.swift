import ProbeDNS
import ProbeKit

/// The service bindings of one answer. One that is malformed spoils the set (RFC 9460 section 2.2).
struct BindingSet {
    /// Those that can be read, in the order in which clients use them.
    private let bindings: [ServiceBinding]
    /// The others: the priority as far as it is there, and `?` for the target.
    private let unreadable: [FollowedRecords.Record]
    /// The reason why none of the set is used; nil for a set that is well-formed.
    private let fault: ReplyFault?

    init(_ found: FoundRecords) {
        var bindings: [ServiceBinding] = []
        var unreadable: [FollowedRecords.Record] = []
        var fault: ReplyFault?
        for record in found.records {
            do throws(ReplyFault) {
                bindings.append(try found.message.binding(of: record))
            } catch {
                let priority = found.message.bytes[record.data].prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
                unreadable.append(FollowedRecords.Record(priority: priority, target: "?"))
                fault = fault ?? error
            }
        }
        bindings.sort { ($0.priority, "\($0.target)") < ($1.priority, "\($1.target)") }
        self.bindings = bindings
        self.unreadable = unreadable
        self.fault = fault ?? Self.fault(of: bindings)
    }

    /// The alias that counts; nil if the set has none, or is not used.
    var alias: ServiceBinding? { fault == nil ? bindings.first { $0.isAlias } : nil }

    /// Returns the fault of the first binding whose parameters break their form. Beside an alias none are looked at, and its
    /// own are not either (RFC 9460 sections 2.4.1 and 2.4.2).
    private static func fault(of bindings: [ServiceBinding]) -> ReplyFault? {
        guard !bindings.contains(where: \.isAlias) else { return nil }
        return bindings.lazy.compactMap { binding -> ReplyFault? in
            if case .failure(let fault) = binding.parameters { fault } else { nil }
        }.first
    }

    /// The records of a set with an alias: the first alias counts, and nothing else (RFC 9460 section 2.4.2).
    var besideAlias: [FollowedRecords.Record] {
        bindings.enumerated().map { index, binding in
            var record = FollowedRecords.Record(priority: binding.priority, target: binding.target.description)
            record.unused = index == 0 ? nil : "an alias stands beside it"
            return record
        }
    }

    /// Returns the records of a set without an alias.
    ///
    /// - Parameter use: takes a binding of a well-formed set, and returns the reason why it is not used.
    func records(_ use: (ServiceBinding, ServiceBinding.Parameters) -> String?) -> [FollowedRecords.Record] {
        let readable = bindings.map { binding in
            var record = FollowedRecords.Record(priority: binding.priority, target: binding.target.description)
            guard case .success(let parameters) = binding.parameters else { return record }
            (record.port, record.alpn) = (parameters.port, parameters.alpn)
            (record.hints, record.hasECH) = (parameters.hints, parameters.hasECH)
            if fault == nil { record.unused = use(binding, parameters) }
            return record
        }
        guard let fault else { return readable }
        return (readable + unreadable).map { record in
            var record = record
            record.unused = "a record of the set is malformed: \(fault.message)"
            return record
        }
    }
}
