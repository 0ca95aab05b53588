/// The codes of App Transport Security's findings that other judgements ask for.
package enum ATSCode {
    /// A leaf that names its server in the common name alone.
    package static let alternativeName = "ats-alternative-name"
    /// A leaf that does not say that it is for servers.
    package static let purpose = "ats-server-purpose"
    /// A leaf that is valid for too long.
    package static let lifetime = "ats-certificate-lifetime"
    /// A leaf that is valid for longer than a public CA may issue it for.
    package static let schedule = "ats-certificate-lifetime-schedule"
    /// The note that every rule is kept.
    package static let satisfied = "ats-satisfied"
}
