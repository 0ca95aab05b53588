import ProbeKit
import ProbePins

/// The pins of a command line in the forms of clients that look at some certificates only, wherever else a pin would match: a
/// remedy keeps to the form, for these clients have no other position.
struct GivenPins: Sendable {
    private let texts: [String]

    init(_ arguments: [String]) {
        let options = Array(arguments.prefix { $0 != "--" })
        texts = options.indices.compactMap { index -> String? in
            if options[index] == "--pin" { return index + 1 < options.count ? options[index + 1] : nil }
            return options[index].hasPrefix("--pin=") ? String(options[index].dropFirst("--pin=".count)) : nil
        }
    }

    /// Returns the words for a pin of a certificate that its form is not for; nil for other steps and forms.
    func words(_ step: Fix.Step) -> String? {
        guard case .movePin(let pin, from: let position, to: let other, instead: let there) = step,
            let text = text(of: pin, at: position)
        else { return nil }
        if text.hasPrefix("sha256//") { return Self.ofCurl(there) }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let usage = Int(fields[0]) else { return nil }
        // Usages 0 and 2 are of CAs, 1 and 3 of the leaf; the second pair asks for no public CA (RFC 6698 section 2.1.1).
        let record = "\(usage ^ 1) \(pin.kind == .cert ? 0 : 1) 1 \(pin.digest.hex)"
        return "give --pin '\(record)', whose usage is of \(other == .leaf ? "the leaf" : "CAs")"
    }

    /// Returns the text that a pin was given as; of one that was given as the digest of something else, the first that is
    /// for the same kind and position.
    private func text(of pin: Pin, at position: PinPosition) -> String? {
        let alike = texts.compactMap { text in
            (try? PinText.parse(text)).map { (text: text, pins: $0.filter { $0.position == position }.map(\.pin)) }
        }.filter { $0.pins.contains { $0.kind == pin.kind } }
        return (alike.first { $0.pins.contains(pin) } ?? alike.first)?.text
    }

    /// libcurl compares the key of the leaf alone (`Curl_pin_peer_pubkey` of `lib/vtls/vtls.c`).
    ///
    /// - Parameter pin: that of the leaf's key; nil if it can't be read.
    private static func ofCurl(_ pin: Pin?) -> String {
        guard let pin else { return "give the pin of the leaf's key in place of this one: curl compares no other" }
        return "give --pin sha256//\(pin.digest.base64) in place of this one: curl compares the leaf's key alone"
    }
}
