import ProbeKit
import ProbeLab
import ProbeTestSupport

/// Authorities that certify each other, a leaf below them, and every valid path between leaf and anchors, by a model that
/// knows the mesh and reads no certificate.
///
/// A seed always gives the same mesh, up to its keys. Two certificates of one authority have different issuers, so that a
/// path is known by its names.
struct CrossSignedMesh: Sendable {
    /// One certificate for an authority.
    private struct Link {
        let subject: Int
        let issuer: Int
        let certificate: [UInt8]
        let isExpired: Bool
    }

    /// The leaf, then everything the server sends along.
    let presented: [[UInt8]]
    /// The trusted roots.
    let anchors: [[UInt8]]
    /// Every certificate of the mesh, whether it is sent or not.
    let certificates: [[UInt8]]
    /// Every valid path that the presented certificates allow and that meets no authority twice.
    let validPaths: Set<[[UInt8]]>
    private let leafIssuer: Int
    private let usable: [[UInt8]: Link]
    private let trusted: [[UInt8]: Int]

    init(seed: UInt64, pki: LabPKI) throws {
        var numbers = SplitMix(state: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &numbers) < percent }

        let rootCount = Int.random(in: 2...3, using: &numbers)
        let count = rootCount + Int.random(in: 2...4, using: &numbers)
        let recipes = (0..<count).map { index in
            LabCertificateRecipe.authority(index < rootCount ? "Mesh Root \(index)" : "Mesh CA \(index)", issuer: nil)
        }
        let roots = try (0..<rootCount).map { try pki.issue(recipes[$0], by: recipes[$0]) }
        var trustedRoots = (0..<rootCount).filter { _ in chance(80) }
        if trustedRoots.isEmpty { trustedRoots = [0] }

        var links: [Link] = []
        for subject in 0..<count {
            // A root may be certified by other roots, an intermediate is by one to three, now and then in a circle.
            var issuers = Array(0..<(subject < rootCount ? rootCount : chance(15) ? count : subject))
            issuers.removeAll { $0 == subject }
            issuers.shuffle(using: &numbers)
            let wanted = subject < rootCount ? (chance(30) ? 1 : 0) : Int.random(in: 1...3, using: &numbers)
            for issuer in issuers.prefix(wanted) {
                var recipe = recipes[subject]
                let isExpired = chance(10)
                if isExpired { recipe.validity = LabCertificateRecipe.days(-365, -1) }
                if chance(30) { recipe.omittedExtensions.append(LabExtension.subjectKeyIdentifier) }
                if chance(20) { recipe.omittedExtensions.append([2, 5, 29, 35]) }
                if chance(10) {
                    recipe.extensions = [
                        LabExtension(
                            oid: LabExtension.subjectKeyIdentifier, isCritical: false, value: [0x04, 0x02, 0x0b, 0xad])
                    ]
                }
                links.append(
                    Link(
                        subject: subject, issuer: issuer, certificate: try pki.issue(recipe, by: recipes[issuer]),
                        isExpired: isExpired))
            }
        }
        let last = Int.random(in: rootCount..<count, using: &numbers)
        let leaf = try pki.issue(.leaf("mesh", issuer: nil), by: recipes[last])
        var sent = links
        sent.shuffle(using: &numbers)
        if chance(30) { sent.removeLast() }
        var others = sent.map(\.certificate)
        if chance(20) { others.append(roots[Int.random(in: 0..<rootCount, using: &numbers)]) }

        presented = [leaf] + others
        anchors = trustedRoots.map { roots[$0] }
        certificates = [leaf] + roots + links.map(\.certificate)
        var paths: Set<[[UInt8]]> = []
        func walk(_ authority: Int, _ path: [[UInt8]], _ seen: Set<Int>) {
            if trustedRoots.contains(authority) { paths.insert(path + [roots[authority]]) }
            for link in sent where link.subject == authority && !link.isExpired && !seen.contains(link.issuer) {
                walk(link.issuer, path + [link.certificate], seen.union([link.issuer]))
            }
        }
        walk(last, [leaf], [last])
        validPaths = paths
        leafIssuer = last
        usable = Dictionary(
            uniqueKeysWithValues: sent.filter { !$0.isExpired }.map { ($0.certificate, $0) })
        trusted = Dictionary(uniqueKeysWithValues: trustedRoots.map { (roots[$0], $0) })
    }

    /// Returns true if a path is valid, even one that contains a CA twice: no verifier needs those, and some accept
    /// them.
    func isValid(_ path: [[UInt8]]) -> Bool {
        guard path.first == presented[0], let anchor = path.last.flatMap({ trusted[$0] }) else { return false }
        var issuer = leafIssuer
        for certificate in path.dropFirst().dropLast() {
            guard let link = usable[certificate], link.subject == issuer else { return false }
            issuer = link.issuer
        }
        return issuer == anchor
    }
}
