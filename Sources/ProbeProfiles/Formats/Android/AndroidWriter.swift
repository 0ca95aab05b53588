import Foundation
import FoundationXML
import ProbeKit
import ProbePins

/// Writes Android's network security configuration: one `domain-config` for each host.
enum AndroidWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any), expiry: .day, hosts: .names([.itself, .everything], repeats: false),
        exempts: true, unlistedHost: .system, overlap: .android)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        let root = XMLElement(name: "network-security-config")
        for host in pinned { root.addChild(config(host)) }
        let document = XMLDocument(rootElement: root)
        document.version = "1.0"
        document.characterEncoding = "utf-8"
        document.isStandalone = true
        let text = document.xmlString(options: .nodePrettyPrint)
        return Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
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
        return config
    }
}
