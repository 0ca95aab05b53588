import ProbeKit
import ProbeRun

/// A check, and the backends that are asked for it.
struct AskedCheck {
    let check: Check
    let transports: [any Transport]
    let resolvers: [any Resolver]
    /// The notes of the check that name the backends that are not asked.
    let notes: [Finding]
}

/// A model list alone, and the backends that are asked for it.
struct AskedModel {
    let check: ModelCheck
    let resolvers: [any Resolver]
    /// The notes of the check that name the backends that are not asked.
    let notes: [Finding]
}
