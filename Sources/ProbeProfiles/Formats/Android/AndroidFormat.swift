import Foundation
import FoundationXML
import ProbeKit
import ProbePins

/// Android's network security configuration, as text or as the binary XML of an APK.
enum AndroidFormat: FormatReader {
    private static let root = "network-security-config"

    static func recognises(_ input: FormatInput) -> Bool {
        if BinaryXML.recognises(input.bytes) { return (try? BinaryXML.read(input))?.name == root }
        // The root may have a prefix.
        return input.markup.map { text in ["<", ":"].contains { text.contains($0 + root) } } ?? false
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let root =
            BinaryXML.recognises(input.bytes) ? try BinaryXML.read(input) : try XMLTree.read(input).withLocalNames
        guard root.name == Self.root else {
            throw input.refuse(
                "is <\(root.name)>", line: root.line, remedy: "give a file whose root is <\(Self.root)>")
        }
        for name in ["base-config", "debug-overrides"] {
            let tags = root.children(named: name)
            guard tags.count <= 1 else {
                throw input.refuse(
                    "has two <\(name)>: the app would crash", line: tags[1].line, remedy: "keep one of them")
            }
        }
        let base = root.children(named: "base-config").first.flatMap(AndroidAnchors.init(of:))
        var walk = AndroidWalk(input, base: base)
        for tag in root.children {
            switch tag.name {
            case "domain-config": try walk.visit(tag, AndroidWalk.Inherited(anchors: base))
            case "base-config": try walk.visitBase(tag)
            case "debug-overrides": walk.visitDebug(tag)
            default: walk.pass(over: tag, in: root)
            }
        }
        return Imported(
            profile: Profile(unlistedHost: .system, hosts: walk.rules()),
            notes: AndroidAttributes.warnings(of: root) + walk.notes + walk.anchorNotes)
    }
}

/// Writes Android's network security configuration: one `domain-config` for each host.
extension AndroidFormat: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any), expiry: .day, hosts: .names([.itself, .everything], repeats: false),
        reports: true, exempts: true, unlistedHost: .system, overlap: .android)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        let root = XMLElement(name: Self.root)
        for host in pinned { root.addChild(config(host)) }
        return Array(root.documentText.utf8)
    }

    /// Whom an app trusts anyway, except that pins don't hold.
    private static var overridingAnchors: XMLElement {
        let system = XMLElement(name: "certificates")
        system.setAttributesWith(["src": "system", "overridePins": "true"])
        let anchors = XMLElement(name: "trust-anchors")
        anchors.addChild(system)
        return anchors
    }

    private static func config(_ host: PinnedHost) -> XMLElement {
        let config = XMLElement(name: "domain-config")
        let domain = XMLElement(name: "domain", stringValue: host.name)
        domain.setAttributesWith(["includeSubdomains": host.reach == .itself ? "false" : "true"])
        config.addChild(domain)
        guard let set = host.sets.first else { return config }
        let pins = XMLElement(name: "pin-set")
        if let expiry = set.expiry { pins.setAttributesWith(["expiration": ExpiryDay.format(expiry.last)]) }
        for member in set.members {
            let pin = XMLElement(name: "pin", stringValue: member.pin.digest.base64)
            pin.setAttributesWith(["digest": "SHA-256"])
            pins.addChild(pin)
        }
        config.addChild(pins)
        if !set.isEnforced { config.addChild(overridingAnchors) }
        return config
    }
}
