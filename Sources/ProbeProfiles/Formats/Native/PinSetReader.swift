import ProbeKit
import ProbePins
import ProbePlatform
import ProbeYAML

/// Reads sets of pins.
enum PinSetReader {
    static func sets(_ node: YAMLNode) throws(InputError) -> [PinSet] {
        try node.list { set throws(InputError) in try self.set(set) }
    }

    private static func set(_ node: YAMLNode) throws(InputError) -> PinSet {
        let fields = try node.fields(
            "pin set", ProfileKeys.pinSet)
        var members: [PinSet.Member] = []
        var stated: [PinPosition] = []
        for element in try fields.required("anyOf").list() {
            for (member, position) in try member(element) {
                members.append(member)
                stated.append(position)
            }
        }
        guard let first = stated.first else { throw node.refuse("has no pins", remedy: "list at least one in anyOf") }
        let position = try fields.optional("position") { node throws(InputError) in
            let text = try node.text()
            guard let position = PinPosition(text) else {
                throw node.refuse("is '\(text)'", remedy: "positions are leaf, ca, any and first-N")
            }
            return position
        }
        if let position { try refuseOtherPositions(fields, position) }
        guard position != nil || stated.allSatisfy({ $0 == first }) else {
            throw node.refuse(
                "has pins of several positions", remedy: "write 'position', or one set for each: sets must all match")
        }
        guard (position ?? first) == .leaf || members.allSatisfy({ $0.commonName == nil }) else {
            throw node.refuse(
                "has a 'commonName', which is the leaf's, at the position \(position ?? first)",
                remedy: "write position: leaf")
        }
        return PinSet(
            members, position: position ?? first,
            chain: try fields.optional("chain") { node throws(InputError) in try node.word() } ?? .validated,
            window: try fields.optional("window") { node throws(InputError) in try window(node) },
            expiry: try expiry(fields),
            isEnforced: try fields.optional("enforce") { node throws(InputError) in try node.flag() } ?? true)
    }

    /// Rejects another position beside one that the text of a pin states.
    private static func refuseOtherPositions(_ fields: YAMLFields, _ position: PinPosition) throws(InputError) {
        for element in try fields.required("anyOf").list() {
            let node = element.isScalar ? element : try element.fields("pin", ProfileKeys.pin).required("pin")
            let text = try node.text()
            guard let stated = PinText.statedPosition(in: text), stated != position else { continue }
            throw node.refuse(
                "states the position \(stated), and its set states position: \(position)",
                remedy: "write one of the two, or a set of its own for this pin: sets must all match")
        }
    }

    private static func member(_ node: YAMLNode) throws(InputError) -> [(PinSet.Member, PinPosition)] {
        guard !node.isScalar else {
            return try node.parsed { text throws(InputError) in try PinText.parse(text) }
                .map { (PinSet.Member($0.pin), $0.position) }
        }
        let fields = try node.fields("pin", ProfileKeys.pin)
        let pins = try fields.required("pin").parsed { text throws(InputError) in try PinText.parse(text) }
        let isBackup = try fields.optional("backup") { node throws(InputError) in try node.flag() } ?? false
        let expires = try fields.parsed("expires") { text throws(InputError) in try ProfileInstant.last.parse(text) }
        let commonName = try fields.optional("commonName") { node throws(InputError) in try node.text() }
        let note = try fields.optional("note") { node throws(InputError) in try node.text() }
        return pins.map {
            (
                PinSet.Member($0.pin, isBackup: isBackup, expires: expires, commonName: commonName, note: note),
                $0.position
            )
        }
    }

    private static func window(_ node: YAMLNode) throws(InputError) -> TransitionWindow {
        let fields = try node.fields("window", ProfileKeys.window)
        let start = try fields.required("from").parsed { text throws(InputError) in try ProfileInstant.first.parse(text)
        }
        let end = try fields.required("to").parsed { text throws(InputError) in try ProfileInstant.last.parse(text) }
        guard start <= end else { throw node.refuse("ends before it begins", remedy: "swap 'from' and 'to'") }
        return TransitionWindow(
            start: start, end: end,
            fallback: try fields.optional("fallback") { node throws(InputError) in try node.word() } ?? .alternate,
            maximumSkew: try fields.optional("maxSkew") { node throws(InputError) in try node.number(in: 0...86_400) }
                ?? TransitionWindow.defaultMaximumSkew,
            onMissingDate: try fields.optional("onMissingDate") { node throws(InputError) in try node.word() }
                ?? .strict)
    }

    private static func expiry(_ fields: YAMLFields) throws(InputError) -> PinGroup.Expiry? {
        let afterwards: PinGroup.Expiry.Afterwards? =
            try fields.optional("afterExpiry") { node throws(InputError) in try node.word() }
        guard
            let last = try fields.parsed("expires", { text throws(InputError) in try ProfileInstant.last.parse(text) })
        else {
            guard afterwards == nil else { throw fields.node.refuse("has 'afterExpiry' and not 'expires'") }
            return nil
        }
        return PinGroup.Expiry(last: last, afterwards: afterwards ?? .fail)
    }
}
