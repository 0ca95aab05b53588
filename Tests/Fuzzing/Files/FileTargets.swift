public import FuzzBytes

/// The targets that read files and messages with the help of libraries.
public let fileTargets: [FuzzTarget] =
    [
        .certificate, .pemText, .stapledResponse, .revocationList, .signedMessage, .httpHead, .programLines, .storeFile,
        .yamlNode,
    ]
    + FuzzTarget.profiles
