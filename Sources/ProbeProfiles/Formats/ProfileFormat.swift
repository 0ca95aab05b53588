public import ProbeKit

/// The formats in which pins are kept; each is read into a ``Profile`` and written from one.
@nonexhaustive public enum ProfileFormat: String, Hashable, Sendable, CaseIterable {
    /// Our own, as YAML.
    case nativeYAML = "native-yaml"
    /// Our own, as JSON.
    case nativeJSON = "native-json"
    /// Apple's App Transport Security: `NSPinnedDomains` in an Info.plist, XML or binary, or in an IPA.
    case apple
    /// Android's network security configuration, as XML or in an APK.
    case android
    /// TrustKit's configuration as a property list; read from Swift and Objective-C dictionaries too.
    case trustkit
    /// OkHttp's `CertificatePinner`: lines `PATTERN sha256/BASE64`; read from Kotlin and Java source too.
    case okhttp
    /// The value of curl's `--pinnedpubkey`.
    case curl
    /// The headers of RFC 7469.
    case hpkp
    /// `openssl x509 -fingerprint -sha256`: certificates.
    case certColon = "cert-colon"
    /// Lines `KIND[@POSITION]:sha256:HEX`.
    case hex
    /// Lines `rawkey:sha256:HEX`.
    case rawkeyHex = "rawkey-hex"
    /// Lines of 44 characters of base64.
    case spkiBase64 = "spki-b64"
    /// Certificates, PEM.
    case pemCert = "pem-cert"
    /// A certificate, DER.
    case derCert = "der-cert"
    /// Public keys, PEM.
    case pemPubkey = "pem-pubkey"
    /// A public key, DER.
    case derPubkey = "der-pubkey"
    /// TLSA records as in a zone file (RFC 6698).
    case tlsa
    /// The fingerprints that wultra's SSL pinning fetches, JSON.
    case wultra

    /// Returns the format of a file, if its content leaves no doubt.
    ///
    /// - Returns: nil if it could be several, or none.
    package static func detect(_ bytes: [UInt8]) -> ProfileFormat? {
        let found = candidates(bytes)
        return found.count == 1 ? found.first : nil
    }

    /// Returns the formats that a file's content may be of.
    static func candidates(_ bytes: [UInt8]) -> [ProfileFormat] {
        let input = FormatInput(bytes, FormatContext(path: ""))
        guard let opened = try? input.opened().input else { return [] }
        // These are looked for by words alone, or in lines.
        let formats = opened.isXML ? allCases.filter { ![.nativeYAML, .okhttp, .hpkp, .tlsa].contains($0) } : allCases
        let found = formats.filter { $0.reader.recognises(opened) }
        // A file of our own may have the words of others in its names and notes. Its JSON is YAML too.
        return [.nativeJSON, .nativeYAML].first(where: found.contains).map { [$0] } ?? found
    }

    /// Reads a file of this format, or the app that it is in.
    ///
    /// - Throws: ``InputError`` naming the file, the place and the remedy.
    public func read(_ bytes: [UInt8], _ context: FormatContext) throws(InputError) -> Imported {
        let (input, notes) = try FormatInput(bytes, context).opened()
        var imported = try reader.read(input)
        imported.notes.insert(contentsOf: notes, at: 0)
        return imported
    }

    /// Writes a profile in this format, and reports what the format can't express.
    ///
    /// - Parameters:
    ///   - profile: the profile to write.
    ///   - host: the host whose pins to write; nil writes those of all hosts.
    ///   - position: the replacement for positions that the format does not have.
    ///   - material: complete certificates and keys, for the formats that contain them.
    /// - Throws: ``InputError`` if the host has no pins, or the format names no host and the profile has several.
    public func write(
        _ profile: Profile, host: ServerName? = nil, position: PinPosition? = nil,
        material: PinMaterial = PinMaterial()
    ) throws(InputError) -> Exported {
        guard let writer else {
            guard let host else { return try native(profile) }
            let kept = try profile.only(host)
            let pinned = kept.pinnedHosts()
            var exported = try native(kept)
            exported.losses += ChosenHostLosses(host: host, chosen: pinned, written: pinned)
                .losses(among: profile.pinnedHosts())
            return exported
        }
        // TrustKit looks at them, wherever its rules are read from or written to.
        let needsSuffixes = self == .trustkit || profile.hosts.contains { $0.semantics == .trustkit }
        let export = FormatExport(
            format: self, host: host, position: position, material: material,
            publicSuffixes: needsSuffixes ? PublicSuffixList.ofSystem : nil)
        var losses: [FormatLoss] = []
        let pinned = try CommonNameReduction(profile, export, writer).pinnedHosts(losses: &losses)
        let bytes = try writer.write(pinned, export, losses: &losses)
        guard !pinned.isEmpty, !bytes.isEmpty else {
            let cause = losses.first { Self.decisive.contains($0.code) } ?? losses.last
            throw InputError(
                "nothing of it can be written as \(rawValue)" + (cause.map { ": \($0)" } ?? ", for it pins nothing"),
                remedy: "choose another format", source: .file)
        }
        var told: Set<FormatLoss> = []
        return Exported(bytes: bytes, losses: losses.filter { told.insert($0).inserted })
    }

    private func native(_ profile: Profile) throws(InputError) -> Exported {
        self == .nativeYAML ? try NativeWriter.yaml(profile) : try NativeWriter.json(profile)
    }

    /// Losses that can leave no pins.
    private static let decisive: Set<String> = [
        "kind", "material", "report-only", "every-host", "exemption", "address",
    ]

    private var reader: any FormatReader.Type {
        switch self {
        case .nativeYAML: NativeYAMLFormat.self
        case .nativeJSON: NativeJSONFormat.self
        case .apple: AppleFormat.self
        case .android: AndroidFormat.self
        case .trustkit: TrustKitFormat.self
        case .okhttp: OkHttpFormat.self
        case .curl: CurlFormat.self
        case .hpkp: HPKPFormat.self
        case .certColon: CertColonFormat.self
        case .hex: HexFormat.self
        case .rawkeyHex: RawKeyHexFormat.self
        case .spkiBase64: SPKIBase64Format.self
        case .pemCert: PEMCertificateFormat.self
        case .derCert: DERCertificateFormat.self
        case .pemPubkey: PEMPublicKeyFormat.self
        case .derPubkey: DERPublicKeyFormat.self
        case .tlsa: TLSAFormat.self
        case .wultra: WultraFormat.self
        }
    }

    /// True for our own format, which can express everything in a profile.
    public var isNative: Bool { writer == nil }

    /// The format's capabilities; nil for the native format, which can express everything.
    var traits: FormatTraits? { writer?.traits }

    /// The positions that it knows in place of others; empty where it has every one, or a single one.
    public var chosenPositions: [PinPosition] {
        if case .oneOf(let known)? = traits?.positions { known } else { [] }
    }

    private var writer: (any FormatWriter.Type)? { reader as? any FormatWriter.Type }
}
