import ProbeKit
import ProbeRun
import Testing

/// URIs of objects in PKCS #11 tokens (RFC 7512).
@Suite struct TokenURITests {
    @Test func moduleAndPINFileAreTakenOut() throws {
        let uri = try TokenURI(
            "PKCS11:token=My%20Card;id=%01%af?module-path=/usr/lib/a%20b.so&pin-source=file:///run/pin",
            from: .operatorsOwn)
        #expect(uri.module == "/usr/lib/a b.so")
        #expect(uri.pinFile == "/run/pin")
        #expect("\(uri)" == "pkcs11:token=My%20Card;id=%01%af")
        #expect(try uri.text(type: "private") == "pkcs11:token=My%20Card;id=%01%af;type=private")
        for place in ["file:/run/pin", "/run/pin", "file:%2Frun%2Fpin"] {
            #expect(try TokenURI("pkcs11:object=a?pin-source=\(place)", from: .file).pinFile == "/run/pin")
        }
    }

    @Test(
        arguments: [
            ("pkcs11:", "names no object"), ("pkcs11:token=a", "names no object"),
            ("pkcs11:object", "not NAME=VALUE"), ("pkcs11:object=a;;id=b", "not NAME=VALUE"),
            ("pkcs11:object=a;object=b", "'object' twice"), ("pkcs11:object=a b", "not percent-encoded"),
            ("pkcs11:object=a%2", "not percent-encoded"), ("pkcs11:object=a%zz", "not percent-encoded"),
            ("pkcs11:object=ä", "not percent-encoded"), ("pkcs11:objct=a", "no 'objct'"),
            ("pkcs11:object=a?pin-sorce=x", "no 'pin-sorce'"), ("pkcs11:object=a?pin-source=pin", "path of a file"),
            ("pkcs11:object=a?pin-source=|cat%20/pin", "path of a file"),
            ("pkcs11:object=a?pin-source=file:/a%00b", "not a path"),
            ("pkcs11:object=a?module-path=a.so", "path of a file"), ("pkcs11:object=a?module-path=/a.so", "a program"),
            ("pkcs11:object=a?pin-value=4711", "shows the PIN to everybody"),
            ("pkcs11:object=a;pin-value=4711", "shows the PIN to everybody"),
        ])
    func faults(text: String, words: String) throws {
        let origin: TokenURI.Origin = words == "a program" ? .file : .operatorsOwn
        let error = try #require(throws: InputError.self) { try TokenURI(text, from: origin) }
        #expect(error.message.contains(words), "\(error)")
        #expect(!error.description.contains("4711"))
    }

    @Test func aURIIsNoPath() throws {
        let files = IdentityFiles(certificate: "a.pem", key: "Pkcs11:object=a", passphrase: "pin").located {
            "/x/\($0)"
        }
        #expect(files == IdentityFiles(certificate: "/x/a.pem", key: "Pkcs11:object=a", passphrase: "/x/pin"))
    }

    @Test(
        "what can't be both is refused, with the code of what named it",
        arguments: [
            (IdentityFiles(certificate: "pkcs11:object=a", key: "a.key", origin: .operatorsOwn), "key in a file"),
            (IdentityFiles(certificate: "pkcs11:object=a?pin-source=/p", passphrase: "q"), "two files"),
            (IdentityFiles(certificate: "a.pem", key: "pkcs11:object=a;type=cert"), "not of type=private"),
        ])
    func contradictions(files: IdentityFiles, words: String) throws {
        let error = try #require(throws: InputError.self) { try files.check() }
        #expect(error.message.contains(words), "\(error)")
        #expect(error.source == (files.origin == .operatorsOwn ? .argument : .file))
        #expect(throws: Never.self) { try IdentityFiles(certificate: "a.pem", key: "a.key").check() }
    }

    @Test func aPINIsNotRepeated() {
        #expect(TokenURI.redacting(#"{"a":"pkcs11:object=a?pin-value=47;11&x=y"}"#).contains("47") == false)
        #expect(TokenURI.redacting(#"PIN-VALUE%3d4711""#) == #"PIN-VALUE%3d…""#)
        #expect(TokenURI.redacting("pkcs11:object=a") == "pkcs11:object=a")
    }
}
