import ArgumentParser
import ProbeKit
import ProbeTrust

/// The revocation lists that come with the trust anchors.
struct RevocationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Judge the certificates that the revocation lists of this PEM or DER file cover by them; repeat it.",
            discussion: """
                A certificate on its issuer's list is revoked. A list that is expired, not signed by the issuer or otherwise \
                unusable fails the check; a certificate that no list covers is named in a note. Lists are never fetched.
                """, valueName: "file"), completion: .file())
    var crl: [String] = []

    /// Those of these options that were given.
    var given: [String] { crl.isEmpty ? [] : ["--crl"] }

    /// Returns the lists, as DER.
    func lists() throws(InputError) -> [[UInt8]] {
        var lists: [[UInt8]] = []
        for file in crl {
            do throws(InputError) {
                lists += try RevocationListFile.read(file)
            } catch {
                throw InputError("--crl \(error.message)", remedy: error.remedy, source: error.source)
            }
        }
        guard lists.count <= RevocationListFile.maximumCount else {
            throw InputError(
                "--crl names \(lists.count) revocation lists", remedy: "give at most \(RevocationListFile.maximumCount)"
            )
        }
        return lists
    }

    /// Rejects the lists where no trust is judged by them.
    func refuse() throws(InputError) {
        guard !crl.isEmpty else { return }
        throw InputError(
            "--crl is not for this command", remedy: "judge a chain by revocation lists with check or verify")
    }
}
