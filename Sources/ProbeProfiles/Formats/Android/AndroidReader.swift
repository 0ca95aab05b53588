import ProbeKit

/// Android's network security configuration, as text or as the binary XML of an APK.
enum AndroidReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        if BinaryXML.recognises(input.bytes) { return (try? BinaryXML.read(input))?.name == "network-security-config" }
        return input.text?.contains("<network-security-config") ?? false
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let root = BinaryXML.recognises(input.bytes) ? try BinaryXML.read(input) : try XMLTree.read(input)
        guard root.name == "network-security-config" else {
            throw input.refuse(
                "is <\(root.name)>", line: root.line, remedy: "give a file whose root is <network-security-config>")
        }
        for name in ["base-config", "debug-overrides"] {
            let tags = root.children(named: name)
            guard tags.count <= 1 else {
                throw input.refuse(
                    "has two <\(name)>: the app would crash", line: tags[1].line, remedy: "keep one of them")
            }
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
