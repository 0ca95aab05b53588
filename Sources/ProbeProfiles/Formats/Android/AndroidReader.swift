import ProbeKit

/// Android's network security configuration.
enum AndroidReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { input.text?.contains("<network-security-config") ?? false }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let root = try XMLTree.read(input)
        guard root.name == "network-security-config" else {
            throw input.refuse(
                "is <\(root.name)>", line: root.line, remedy: "give a file whose root is <network-security-config>")
        }
        var walk = AndroidWalk(input)
        for tag in root.children {
            switch tag.name {
            case "domain-config": try walk.visit(tag, inherited: nil)
            case "base-config": try walk.visitBase(tag)
            case "debug-overrides": walk.visitDebug(tag)
            default: walk.pass(over: tag)
            }
        }
        return Imported(profile: Profile(unlistedHost: .system, hosts: walk.rules()), notes: walk.notes)
    }
}
