import Foundation
import ProbeKit
import ProbeTestSupport
import ProbeTrust
import Testing

@testable import ProbeClients

/// The contents that a file of clients may have.
@Suite struct ClientFileTests {
    private static func read(_ text: String, folder: String? = "/own") throws(InputError) -> [Client] {
        let base = Client(name: "base-1", family: "base", released: "2015-01-01", library: "Base")
        return try ClientFile(file: "own.yaml", family: "own", folder: folder).read(text, known: ["base-1": base])
    }

    private static func facts(_ lines: String, sources: String = "released: a list") -> String {
        let own = lines.split(separator: "\n").map { "    \($0)\n" }.joined()
        return "clients:\n  mine:\n    released: 2019-02-03\n    library: Mine\n\(own)    sources: {\(sources)}\n"
    }

    @Test("a program is that of the clients that extend one, as long as they are the same library") func programs()
        throws
    {
        var base = Client(name: "base-1", family: "base", released: "2015-01-01", library: "Base")
        base.program = "base-program"
        func program(_ lines: String, sources: String) throws -> String? {
            let text = Self.facts("extends: base-1\n\(lines)", sources: sources)
            return try ClientFile(file: "own.yaml", family: "own", folder: nil).read(text, known: ["base-1": base])
                .first?.program
        }
        #expect(try program("roots: mozilla@2021-05", sources: "released: a, roots: a") == "base-program")
        #expect(try program("paths: sent-first", sources: "released: a, paths: a") == nil)
        #expect(try program("alpn: [h2]", sources: "released: a, offer: a") == nil)
        #expect(try program("alpn: [h2]\nprogram: mine", sources: "released: a, offer: a") == "mine")
    }

    @Test("a release without its letter is the one that is known") func letters() throws {
        var catalogue = try ClientCatalogue.shipped()
        #expect(try catalogue.named(["openssl-1.0.2"]).map(\.name) == ["openssl-1.0.2e"])
        #expect(throws: InputError.self, "there are several") { _ = try catalogue.named(["openssl-1.1.1"]) }
        #expect(throws: InputError.self) { _ = try catalogue.named(["openssl-1.0.2e1"]) }
    }

    @Test("a file that is named twice is read once, and another one with the same names is refused") func repeated()
        throws
    {
        try ScratchFolder.withURL { url in
            let folder = url.path
            let (own, other) = ("\(folder)/own.yaml", "\(folder)/other.yaml")
            for file in [own, other] { try ScratchFolder.write(Self.facts(""), to: file) }
            var catalogue = try ClientCatalogue.shipped()
            let count = catalogue.clients.count
            #expect(try catalogue.named(["\(own),\(own)", "\(folder)/./own.yaml"]).map(\.name) == ["mine"])
            #expect(try catalogue.named([own, "mine"]).map(\.name) == ["mine"])
            #expect(catalogue.clients.count == count + 1)
            let error = #expect(throws: InputError.self) { try catalogue.named([other]) }
            #expect(error?.message.contains("is a client already") == true, "\(String(describing: error))")
            let fleet = "\(folder)/fleet.yaml"
            try ScratchFolder.write(
                "fleet: 1\nclientFiles: [own.yaml, ./own.yaml]\nclients: {mine: 100}\n", to: fleet)
            let members = try FleetFile.read(fleet, ClientCatalogue.shipped()).members
            #expect(members.map(\.client.name) == ["mine"])
        }
    }

    @Test("platforms read their files of pins since Android 7.0, iOS 14 and macOS 11, and Dart does not")
    func unreadPins()
        throws
    {
        let clients = try ClientCatalogue.shipped().clients
        let unread = clients.filter { !$0.unreadPins.isEmpty }.map { "\($0.name) \($0.unreadPins[0])" }
        #expect(
            Set(unread) == [
                "android-4.4 android", "android-5.0 android", "android-6.0 android",
                "flutter-1.0-android-7.0 android", "flutter-3.0-android-12 android", "macos-10.11 ats",
                "macos-10.12 ats", "macos-10.13 ats", "macos-10.14 ats", "ios-9 ats", "ios-10 ats",
                "ios-11 ats",
                "ios-12 ats", "ios-13 ats", "okhttp-3.8-android-5.0 android", "okhttp-3.12-android-4.4 android",
            ])
        #expect(clients.allSatisfy { $0.unreadPins.count <= 1 })
        func families(reading file: PlatformPins) -> Set<String> {
            Set(clients.filter(file.isRead).map(\.family))
        }
        #expect(families(reading: .android) == ["android", "okhttp"])
        #expect(families(reading: .ats) == ["ios", "macos"])
        // Of one that extends none nothing is known.
        let own = try #require(try Self.read(Self.facts("")).first)
        #expect(PlatformPins.allCases.allSatisfy { $0.isRead(by: own) })
        let error = #expect(throws: InputError.self) {
            try Self.read(Self.facts("unreadPins: [okhttp]", sources: "released: a, unreadPins: a"))
        }
        #expect(error?.remedy.contains("android, ats") ?? false, "\(String(describing: error))")
    }

    @Test func everyFactIsRead() throws {
        let text = Self.facts(
            """
            roots: mozilla@2021-05
            versions: [TLS 1.1, TLS 1.2]
            cipherSuites: [TLS_RSA_WITH_RC4_128_SHA, TLS_RSA_WITH_AES_128_CBC_SHA, "0xcc13"]
            groups: [x25519]
            signatureAlgorithms: [rsa_pkcs1_sha256]
            alpn: [h2]
            sni: false
            paths: sent-order
            issuers: behind
            anchors: self-issued
            anchorValidity: false
            commonName: true
            sha1: true
            minimumRSABits: 1024
            lastSecond: false
            lifetimes: [{since: 2020-09-01, days: 398, slack: 60}]
            nameConstraints: false
            keyIdentifiers: true
            purposes: any
            serverPurpose: 2019-07-01
            purposePlaces: below-anchor
            leafUsage: server
            roles: false
            certificatePolicies: false
            anchorExtensions: false
            addressNames: false
            unknownExtensions: [policy-mappings, tls-features]
            staples: true
            missingIssuers: fetched
            policies: [ats]
            unreadPins: [android]
            """,
            sources:
                "released: a, roots: a, offer: a, paths: a, issuers: a, anchors: a, anchorValidity: a, commonName: a, sha1: a, "
                + "minimumRSABits: a, lastSecond: a, lifetimes: a, nameConstraints: a, keyIdentifiers: a, purposes: a, "
                + "serverPurpose: a, purposePlaces: a, leafUsage: a, roles: a, certificatePolicies: a, anchorExtensions: a, "
                + "addressNames: a, unknownExtensions: a, staples: a, missingIssuers: a, policies: a, unreadPins: a")
        let client = try #require(try Self.read(text).first)
        #expect(client.name == "mine" && client.family == "own" && client.released == "2019-02-03")
        #expect(client.unreadPins == [.android])
        #expect(client.roots == "mozilla@2021-05" && client.policies == ["ats"] && !client.sendsName)
        #expect(
            client.offer
                == ClientOffer(
                    versions: ["TLS 1.1", "TLS 1.2"],
                    cipherSuites: ["TLS_RSA_WITH_RC4_128_SHA", "TLS_RSA_WITH_AES_128_CBC_SHA", "0xcc13"],
                    groups: ["x25519"], signatureAlgorithms: ["rsa_pkcs1_sha256"], alpn: ["h2"]))
        var habits = VerifierHabits()
        habits.paths = .sentOrder
        habits.issuers = .behind
        habits.anchors = .selfIssued
        habits.judgesAnchorValidity = false
        habits.acceptsCommonName = true
        habits.acceptsSHA1 = true
        habits.minimumRSABits = 1024
        habits.includesLastSecond = false
        habits.lifetimes = [.init(since: 1_598_918_400, days: 398, slack: 60)]
        habits.judgesNameConstraints = false
        habits.requiresKeyIdentifiers = true
        habits.purposes = .any
        habits.serverPurposeSince = 1_561_939_200
        habits.purposePlaces = .belowAnchor
        habits.leafUsage = .server
        habits.judgesRoles = false
        habits.judgesPolicies = false
        habits.readsAnchors = false
        habits.acceptsAddresses = false
        habits.unknownExtensions = [.policyMappings, .tlsFeatures]
        #expect(client.habits == habits && client.missingIssuers == .fetched && client.judgesStaples)
        #expect(
            ReducedOffer(client.offer).leftOut == ["TLS_RSA_WITH_RC4_128_SHA", "0xcc13"]
                && ReducedOffer(client.offer).offer?.cipherSuites == ["TLS_RSA_WITH_AES_128_CBC_SHA"])
    }

    @Test("limits count by the day of issue, in whatever order they stand") func limitsAreSorted() throws {
        let text = Self.facts(
            "lifetimes: [{since: 2020-09-01, days: 30}, {since: 2018-03-01, days: 825}]",
            sources: "released: a, lifetimes: a")
        let client = try #require(try Self.read(text).first)
        #expect(client.habits.lifetimes.map(\.days) == [825, 30])
    }

    @Test("a client takes over what it does not say itself, with its sources") func extended() throws {
        let text = """
            clients:
              first: {extends: base-1, sha1: true, paths: sent-first, sources: {sha1: one, paths: two}}
              second: {extends: first, sha1: false, roots: store.pem, sources: {sha1: three, roots: four}}
            """
        let clients = try Self.read(text)
        let second = try #require(clients.last)
        #expect(second.released == "2015-01-01" && second.library == "Base")
        #expect(!second.habits.acceptsSHA1 && second.habits.paths == .sentFirst)
        #expect(second.rootsFile == "/own/store.pem" && second.roots == nil)
        #expect(second.sources == ["sha1": "three", "paths": "two", "roots": "four"])
    }

    @Test(
        "what a file can't mean is refused where it stands",
        arguments: [
            (facts("sha1: true"), "where 'sha1' is from"), (facts("alpn: [h2]"), "where 'alpn' is from"),
            (facts("sha1: perhaps", sources: "released: a, sha1: a"), "true or false"),
            (facts("sha2: true"), "did you mean 'sha1'"),
            (facts("serverPurpose: soon", sources: "released: a, serverPurpose: a"), "is not a day"),
            (
                facts("lifetimes: [{since: 2020-09-01, days: 398, slack: -1}]", sources: "released: a, lifetimes: a"),
                "0 to 86400"
            ),
            (
                facts(
                    "lifetimes: [{since: 2020-09-01, days: 398}, {since: 2020-09-01, days: 90}]",
                    sources: "released: a, lifetimes: a"), "two limits since the same day"
            ),
            (facts("paths: any", sources: "released: a, paths: a"), "choose all-paths"),
            (facts("issuers: any", sources: "released: a, issuers: a"), "choose valid"),
            (
                facts("cipherSuites: [TLS_AES_128_GCM_SHA25]", sources: "released: a, offer: a"),
                "TLS_AES_128_GCM_SHA256"
            ),
            (facts("versions: [TLS 1.4]", sources: "released: a, offer: a"), "TLS 1.4"),
            (facts("roots: Mozilla", sources: "released: a, roots: a"), "is not a root store"),
            (facts("extends: bas-1"), "did you mean 'base-1'"), (facts("", sources: "wings: a"), "is not a fact"),
            ("clients: {mine: {library: a, sources: {}}}", "lacks 'released'"),
            ("clients: {mine: {released: 2019-01-01, sources: {released: a}}}", "lacks 'library'"),
            ("clients: {mine: {released: soon, library: a, sources: {released: a}}}", "is not a day"),
            ("clients: {base-1: {released: 2019-01-01, library: a, sources: {released: a}}}", "is a client already"),
            ("clients: {My Client: {}}", "is not a client's name"), ("{}", "lacks 'clients'"),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: InputError.self) { try Self.read(text) }
        #expect(error.map { "\($0.message) \($0.remedy)".contains(words) } ?? false, "\(String(describing: error))")
    }
}

/// The clients that are shipped, held against what the issue of them demands.
@Suite struct ShippedClientTests {
    @Test func eachFamilyIsThereAndEveryFactHasASource() throws {
        let catalogue = try ClientCatalogue.shipped()
        #expect(catalogue.clients.count >= 60)
        #expect(Set(catalogue.clients.map(\.name)).count == catalogue.clients.count)
        #expect(
            Set(catalogue.families).isSuperset(of: [
                "android", "ios", "macos", "windows", "java", "openssl", "gnutls", "firefox", "chrome", "go", "python",
                "curl", "mbedtls", "wolfssl", "flutter", "dotnet", "okhttp",
            ]))
        for client in catalogue.clients {
            #expect(client.sources["released"] != nil && client.sources.values.allSatisfy { $0.count > 8 }, "\(client)")
            #expect(client.offer == ClientOffer() || client.sources["offer"] != nil, "\(client.name)")
            #expect(client.rootsFile == nil)
            #expect(
                ReducedOffer(client.offer).offer?.cipherSuites?.isEmpty != true,
                "\(client.name): nothing of its offer is left")
        }
    }

    /// Returns the names of a family's clients of which something holds.
    private static func names(
        _ family: String, _ isMeant: (Client) -> Bool
    ) throws -> [String] {
        try ClientCatalogue.shipped().clients.filter { $0.family == family && isMeant($0) }.map(\.name)
    }

    @Test("a verifier that follows one path takes the issuers that its library takes") func paths() throws {
        let older = ["gnutls-3.3", "gnutls-3.5", "gnutls-3.6.7"]
        #expect(try Self.names("gnutls") { $0.habits.paths == .sentNames } == older)
        #expect(
            try Self.names("gnutls") { $0.habits.paths == .sentNamesTwice } == [
                "gnutls-3.6.15", "gnutls-3.7", "gnutls-3.8",
            ])
        #expect(try Self.names("mbedtls") { $0.habits.issuers != .behind } == [])
        #expect(try Self.names("flutter") { $0.habits.issuers != .firstAuthority } == [])
        #expect(
            try Self.names("openssl") { $0.habits.issuers == .firstAuthority } == [
                "openssl-0.9.8y", "openssl-1.0.1l", "openssl-1.0.2e",
            ])
        #expect(
            try Self.names("openssl") { $0.habits.issuers == .validAuthority } == [
                "openssl-1.1.0l", "openssl-1.1.1d", "openssl-1.1.1d-upstream",
            ])
        // Their own flag prefers the roots; the choice is that of the OpenSSL below.
        #expect(
            try Self.names("python") { $0.habits.issuers == .firstAuthority } == [
                "python-2.7.9", "python-2.7.18", "python-3.5",
            ])
        #expect(try Self.names("curl") { $0.habits.issuers == .firstAuthority }.count == 2)
    }

    @Test("the common name counts for curl always, until Android 8.1 and until OkHttp 3.8") func commonNames() throws {
        #expect(try Self.names("curl") { !$0.habits.acceptsCommonName } == [])
        #expect(
            try Self.names("android") { $0.habits.acceptsCommonName } == [
                "android-4.4", "android-5.0", "android-6.0", "android-7.0", "android-7.1", "android-8.0", "android-8.1",
            ])
        #expect(try Self.names("okhttp") { $0.habits.acceptsCommonName } == ["okhttp-3.8-android-5.0"])
    }

    @Test("Android takes RSA from 1024 bits, and signatures with SHA-1 until version 9") func androidStrength() throws {
        #expect(try Self.names("android") { $0.habits.minimumRSABits != 1024 } == [])
        let newer = try Self.names("android") { !$0.habits.acceptsSHA1 }
        #expect(newer == ["android-10", "android-11", "android-12", "android-13", "android-14", "android-15"])
    }

    @Test("sockets of Android 4.4 have TLS 1.0 at most, and OkHttp offers no version that it or the socket lacks")
    func versions() throws {
        var catalogue = try ClientCatalogue.shipped()
        for (name, versions) in [
            ("android-4.4", ["SSL 3.0", "TLS 1.0"]), ("okhttp-3.12-android-4.4", ["TLS 1.0"]),
            ("okhttp-3.8-android-5.0", ["TLS 1.0", "TLS 1.1", "TLS 1.2"]), ("okhttp-4.9-android-7.0", ["TLS 1.2"]),
            ("okhttp-4.9-java-8u161", ["TLS 1.2"]),
        ] {
            #expect(try catalogue.named([name]).map(\.offer.versions) == [versions], "\(name)")
        }
        for client in try catalogue.named(["okhttp"]) {
            let suites = try #require(client.offer.cipherSuites)
            #expect(suites.allSatisfy { !$0.contains("_DHE_") && !$0.contains("_RC4_") }, "\(client.name)")
        }
    }

    @Test("Python 2.7 compares no IP addresses") func addresses() throws {
        #expect(try Self.names("python") { !$0.habits.acceptsAddresses } == ["python-2.7.9", "python-2.7.18"])
    }

    @Test("Apple's systems want the server's purpose since 2019, and give 825 days an hour more") func appleOf2019()
        throws
    {
        for family in ["ios", "macos"] {
            for client in try ClientCatalogue.shipped().clients where client.family == family {
                let isNew = !client.habits.lifetimes.isEmpty
                #expect(client.habits.serverPurposeSince == (isNew ? 1_561_939_200 : nil), "\(client.name)")
                #expect(client.habits.acceptsCommonName == !isNew, "\(client.name)")
                for limit in client.habits.lifetimes {
                    #expect(limit.slack == (limit.days == 398 ? 0 : 3600), "\(client.name)")
                }
            }
        }
    }

    @Test("a name, a family, all and a list are clients; a word that is none names what it may have meant") func named()
        throws
    {
        var catalogue = try ClientCatalogue.shipped()
        #expect(try catalogue.named(["android-7.0"]).map(\.name) == ["android-7.0"])
        let android = try catalogue.named(["android"])
        #expect(android.count > 10 && android.allSatisfy { $0.family == "android" })
        #expect(try catalogue.named(["android,ios-12", "android-7.0"]).count == android.count + 1)
        #expect(try catalogue.named(["all"]).count == catalogue.clients.count)
        for (word, meant) in [
            ("android-7", "'android-7.0' or 'android-7.1'"), ("openss", "openssl"), ("jva-17", "java-17"),
        ] {
            let error = #expect(throws: InputError.self) { try catalogue.named([word]) }
            #expect(error?.remedy.contains(meant) == true, "\(String(describing: error))")
        }
    }
}
