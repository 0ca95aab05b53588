import ArgumentParser
import ProbeKit
import ProbeRoots
import ProbeTrust

/// The trust anchors.
struct AnchorOptions: ParsableArguments {
    @OptionGroup var file: AnchorFileOption

    @Option(
        help: ArgumentHelp(
            "Trust a root store as it was on a day, like mozilla@2021-05, or demand that all do; see probe roots list.",
            valueName: "name[@day]"))
    var roots: Given<RootStoreName>?

    var ca: String? { file.ca }

    /// The option that gives anchors instead of the system's; nil if there is none.
    var option: String? { ca != nil ? "--ca" : roots != nil ? "--roots" : nil }

    /// Refuses a mode of trust by which no root store is judged.
    static func refuse(_ trust: TrustMode, with anchors: TrustAnchors) throws(InputError) {
        guard trust == .native, !anchors.stores.isEmpty else { return }
        throw InputError(
            "--roots all and --trust native are given, and stores are judged by the reference verifier",
            remedy: "leave one of the two out, or name one store")
    }

    /// Returns the anchors, with the revocation lists of these options.
    func anchors(_ revocation: RevocationOptions? = nil) throws(InputError) -> TrustAnchors {
        let lists = try revocation?.lists() ?? []
        let anchors = try certificates()
        return lists.isEmpty ? anchors : anchors.with(revocationLists: lists)
    }

    private func certificates() throws(InputError) -> TrustAnchors {
        if let roots {
            guard ca == nil else {
                throw InputError("--ca and --roots are given", remedy: "choose one of the two")
            }
            do throws(InputError) {
                return try RootDatabase.standard().anchors(roots.value)
            } catch {
                throw InputError("--roots: \(error.message)", remedy: error.remedy, source: error.source)
            }
        }
        guard let ca else { return try .system() }
        do throws(InputError) {
            return try .file(ca)
        } catch {
            throw InputError("--ca \(error.message)", remedy: error.remedy, source: error.source)
        }
    }
}
